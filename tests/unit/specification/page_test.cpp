// SPDX-License-Identifier: Apache-2.0
/// Specification pages: nothing in them lacks a description.

#include <algorithm>
#include <catch2/catch.hpp>

#include "blocks/all_blocks.hpp"
#include "platforms/specification/block_page.hpp"
#include "platforms/specification/coverage.hpp"
#include "platforms/specification/rtl_page.hpp"
#include "platforms/specification/source_files.hpp"

using namespace reconverge;
using namespace reconverge::specification;

TEST_CASE("every port and parameter of the RTL has a description") {
  for (const BlockDescription* block : all_blocks()) {
    CAPTURE(block->name);
    CHECK(undescribed(block->name) == std::vector<std::string>{});
  }
}

TEST_CASE("every block has a README that contains its table") {
  for (const BlockDescription* block : all_blocks()) {
    CAPTURE(block->name);
    const auto readme = source_text(std::string(block->folder) + "/README.md");
    REQUIRE(readme);
    CHECK(readme->find(std::string("<!-- block ") + std::string(block->name) + " -->") != std::string_view::npos);
  }
}

TEST_CASE("the traffic of a page reaches the cases of the block's coverage, except very rare ones") {
  const std::string block = GENERATE(as<std::string>{}, "dynamic_ray_shuffling", "dynamic_microkernel",
                                     "subwarp_interleaving", "benes_network");
  const Coverage coverage = coverage_of(block);
  CAPTURE(block, coverage.cycles);
  CHECK(coverage.cases.size() > 50);
  std::vector<std::string> missing;
  for (const CoveredCase& one : coverage.cases) {
    if (one.count == 0) missing.push_back(one.name);
  }
  CAPTURE(missing);
  CHECK(missing.size() <= coverage.cases.size() / 50);
}

TEST_CASE("the page of a block with RTL has ports, state, timing, assertions, proofs and departures") {
  const auto block = std::ranges::find(all_blocks(), "dynamic_ray_shuffling", &BlockDescription::name);
  REQUIRE(block != all_blocks().end());
  const auto files = block_page(**block, {});
  REQUIRE(files.front().name == "dynamic_ray_shuffling.md");
  const std::string& page = files.front().text;
  for (const char* heading :
       {"## Purpose and theory of operation", "## Parameters and statistics", "## RTL: ports, parameters and state",
        "### ray_state_table", "## Timing", "## Assertions", "## Coverage", "## Proofs", "## Mutants",
        "## Area and timing", "## Departures"}) {
    CAPTURE(heading);
    CHECK(page.find(heading) != std::string::npos);
  }
  CHECK(page.find("| `control_valid_i` | input | 1 | 1 |") != std::string::npos);
  CHECK(page.find("](../") == std::string::npos);
  CHECK(std::ranges::count_if(files, [](const PageFile& file) { return file.name.ends_with(".svg"); }) == 3);
}
