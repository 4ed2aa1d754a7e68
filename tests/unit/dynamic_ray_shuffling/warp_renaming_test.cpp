// SPDX-License-Identifier: Apache-2.0
#include "models/schemes/dynamic_ray_shuffling/warp_renaming.hpp"

#include <catch2/catch.hpp>

#include "tests/unit/dynamic_ray_shuffling/asker.hpp"

using namespace reconverge;
using namespace reconverge::tests;

TEST_CASE("Warp renaming binds rows to warps and releases them") {
  const SimulationContext context;
  WarpRenaming renaming("renaming");
  Asker<Renaming> rename("rename", renaming.renamings);
  Asker<WarpRow> row_of("row_of", renaming.lookups);
  Asker<BoundRows> bound("bound", renaming.bound_rows);
  elaborate();
  renaming.begin(2);
  CHECK(row_of({0}).row == 0U);
  CHECK(row_of({1}).row == 1U);

  CHECK(rename({1, 3}).released);
  CHECK(row_of({1}).row == 3U);
  CHECK(bound().rows.holds(3));
  CHECK_FALSE(bound().rows.holds(1));

  CHECK(rename({1, std::nullopt}).released);
  CHECK_FALSE(row_of({1}).row);
  CHECK_FALSE(bound().rows.holds(3));
  CHECK_FALSE(rename({1, 1}).released);
  CHECK(bound().rows.holds(0));
  CHECK(bound().rows.holds(1));

  renaming.begin(1);
  CHECK(bound().rows.without(0).empty());
}
