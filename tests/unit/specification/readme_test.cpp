// SPDX-License-Identifier: Apache-2.0
#include "platforms/specification/readme.hpp"

#include <catch2/catch.hpp>

using namespace reconverge::specification;

namespace {

constexpr std::string_view readme =
    "# Memory\n\nIntroduction.\n\n<!-- block l1_cache -->\ntable\n<!-- end of block l1_cache -->\n\nTextures are "
    "read.\n\n"
    "<!-- block texture_cache -->\ntable\n<!-- end of block texture_cache -->\n\n## Sockets\n\n```\n## no "
    "heading\n```\n";

}  // namespace

TEST_CASE("a README consists of sections without the tables of blocks") {
  const auto sections = sections_of(readme);
  REQUIRE(sections.size() == 2);
  CHECK(sections[0].title.empty());
  CHECK(sections[0].text.find("table\n") == std::string::npos);
  CHECK(sections[0].text.find("Introduction.") != std::string::npos);
  CHECK(sections[1].title == "Sockets");
  CHECK(sections[1].text == "\n```\n## no heading\n```\n");
}

TEST_CASE("a block's text is before its table") {
  CHECK(text_before_table(readme, "l1_cache") == "\nIntroduction.\n\n");
  CHECK(text_before_table(readme, "texture_cache") == "\nTextures are read.\n\n");
  CHECK(text_before_table(readme, "dram").empty());
}

TEST_CASE("links lead to pages of blocks, or are only text") {
  const auto page = [](std::string_view text) { return for_page(text, "models/memory"); };
  CHECK(page("see [shuffling](../schemes/dynamic_ray_shuffling/README.md#rules)") ==
        "see [shuffling](dynamic_ray_shuffling.md)");
  CHECK(page("its [RTL](../../rtl/benes_network/README.md)") == "its [RTL](benes_network.md)");
  CHECK(page("[core](../core/README.md), [above](#sockets)") == "core, above");
  CHECK(page("[web](https://example.org/a)") == "[web](https://example.org/a)");
  CHECK(page("![picture](a.png)text") == "text");
  CHECK(page("<!-- block l1_cache -->\ntext") == "text");
}
