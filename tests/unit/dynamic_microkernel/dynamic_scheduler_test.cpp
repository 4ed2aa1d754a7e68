// SPDX-License-Identifier: Apache-2.0
#include "models/schemes/dynamic_microkernel/dynamic_scheduler.hpp"

#include <catch2/catch.hpp>

#include "models/schemes/dynamic_microkernel/warp_formation.hpp"
#include "tests/unit/dynamic_ray_shuffling/asker.hpp"

using namespace reconverge;
using namespace reconverge::tests;

TEST_CASE("full warps precede launch warps and partial warps come last from the lowest address") {
  const SimulationContext context;
  WarpFormation formation("formation", 4, 4);
  DynamicScheduler scheduler("scheduler");
  scheduler.full_warps.bind(formation.full_warps());
  scheduler.partial_warps.bind(formation.partial_warps());
  Asker<WarpChoice> choose("choose", scheduler.choices);
  elaborate();
  formation.begin(0, 16 * warp_size);
  scheduler.begin();
  scheduler.began(false, 64);
  formation.create(70, 0xff);
  formation.create(30, all_lanes);
  formation.create(30, 0x3);
  formation.create(90, all_lanes);

  const WarpChoice launch_left{true, true};
  const WarpChoice none_left{};
  CHECK(choose(launch_left).warp->pc == 30);
  CHECK(choose(launch_left).warp->pc == 90);
  CHECK_FALSE(choose(launch_left).warp);
  // No partial warp starts while threads of the launch run, because they may spawn more threads.
  CHECK_FALSE(choose(none_left).warp);
  scheduler.ended(false, 64);
  CHECK_FALSE(choose(launch_left).warp);
  // No states are free for the launch. A partial warp starts only if no spawned thread is running, because a running
  // one may free its state.
  const WarpChoice no_room{true, false};
  scheduler.began(true, 32);
  CHECK_FALSE(choose(no_room).warp);
  scheduler.ended(true, 32);

  WarpChoice choice = choose(no_room);
  REQUIRE(choice.warp);
  CHECK(choice.warp->pc == 30);
  CHECK(choice.warp->threads == 2);
  CHECK(choice.forced);
  choice = choose(none_left);
  REQUIRE(choice.warp);
  CHECK(choice.warp->pc == 70);
  CHECK(choice.warp->threads == 8);
  CHECK_FALSE(choose(none_left).warp);
}
