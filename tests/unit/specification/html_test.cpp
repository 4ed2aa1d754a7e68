// SPDX-License-Identifier: Apache-2.0
/// Specification pages as HTML.

#include "platforms/specification/html.hpp"

#include <catch2/catch.hpp>
#include <string>
#include <vector>

using namespace reconverge::specification;

TEST_CASE("a page becomes one HTML file with its tables, images and links") {
  const std::vector<PageFile> files{
      {"one.md",
       "# one\n\n| a | b |\n|---|---|\n| `x` | 1 < 2 |\n\n![figure](one.svg) [two](two.md) [three](three.md) "
       "[part](#part) [site](https://example.org/)\n"},
      {"one.svg", "<svg id=\"x\"/>"},
      {"two.md", "# two\n"}};
  const auto pages = html_pages(files);
  REQUIRE(pages.size() == 2);
  CHECK(pages[0].name == "one.html");
  CHECK(pages[1].name == "two.html");
  for (const char* part : {"<title>one</title>", "<h1>one</h1>", "<th>a</th>", "<td><code>x</code></td>",
                           "<td>1 &lt; 2</td>", "src=\"data:image/svg+xml,%3Csvg%20id%3D%22x%22%2F%3E\" alt=\"figure\"",
                           "<a href=\"two.html\">two</a> three part ", "<a href=\"https://example.org/\">site</a>"}) {
    CAPTURE(part);
    CHECK(pages[0].text.find(part) != std::string::npos);
  }
}

TEST_CASE("a link to a page that is not there becomes its text") {
  const PageFile page{"one.md", "[*an* image](one.svg)\n"};
  CHECK(html_page(page, {}).text.find("<p><em>an</em> image</p>") != std::string::npos);
}
