// SPDX-License-Identifier: Apache-2.0
#include "models/core/documentation.hpp"

#include <catch2/catch.hpp>
#include <fstream>
#include <iterator>
#include <string>

#include "blocks/all_blocks.hpp"
#include "models/block_generator/block_file.hpp"
#include "models/block_generator/describe.hpp"
#include "test_blocks/all_blocks.hpp"

namespace reconverge {

namespace {

std::string read(const std::string& file) {
  std::ifstream stream(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
}

}  // namespace

TEST_CASE("tables document a block") {
  const std::string expected =
      "`memory`: Storage.\n\n"
      "| parameter | type | default | range | effect | source |\n|---|---|---|---|---|---|\n"
      "| `capacity` | bytes | 48 KiB | 1 KiB to 16 MiB | Storage. | DRS Table 1 |\n"
      "| `ways` | count | 6 | 1 to 64 | Lines a set. | test |\n";
  CHECK(markdown(*test_blocks::all_blocks()[2]) == expected);
}

TEST_CASE("tables from a block file equal tables from the generated code") {
  const auto blocks = block_generator::read_blocks(RECONVERGE_SOURCE_DIR "/tests/unit/core/blocks");
  REQUIRE(blocks.size() == test_blocks::all_blocks().size());
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    const block_generator::DescribedBlock described(blocks[i]);
    CHECK(markdown(described.description()) == markdown(*test_blocks::all_blocks()[i]));
  }
}

TEST_CASE("tables are replaced between their markers") {
  const std::string readme = "# A\n<!-- block a -->\nold\n<!-- end of block a -->\nrest\n";
  CHECK(replace_table(readme, "a", "new\n") == "# A\n<!-- block a -->\nnew\n<!-- end of block a -->\nrest\n");
  CHECK_FALSE(replace_table(readme, "b", "new\n").has_value());
  CHECK_FALSE(replace_table("<!-- block a -->\n", "a", "new\n").has_value());
}

TEST_CASE("the tables in every block's README are up to date") {
  for (const BlockDescription* block : all_blocks()) {
    const std::string file = std::string(block->folder) + "/README.md";
    INFO(file << " must hold the tables of " << block->name << " between the lines\n"
              << table_begin(block->name) << table_end(block->name) << "build the target block_tables to renew them");
    const std::string readme = read(RECONVERGE_SOURCE_DIR "/" + file);
    CHECK(replace_table(readme, block->name, markdown(*block)).value_or("no tables") == readme);
  }
}

}  // namespace reconverge
