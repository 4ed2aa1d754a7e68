// SPDX-License-Identifier: Apache-2.0
/// The assertions of subwarp schedulers' RTL, tested: each finds a fault of its own in a small block.

#include <catch2/catch.hpp>

#include "Vas_the_trigger_says.h"
#include "Vlowest_warp_changes.h"
#include "Vone_subwarp_is_active.h"
#include "Vready_entries_get_a_turn.h"
#include "Vstalled_for_its_results.h"
#include "Vtold_state_holds.h"
#include "models/cosim/subwarp_interleaving/bench/lock_step.hpp"
#include "tests/cosim/failing_assertion.hpp"

using namespace reconverge;
using namespace reconverge::tests;

namespace {

/// The name of the assertion that fails.
template <typename Rtl>
std::string failing() {
  return failing_assertion([&] {
    const SubwarpTrafficShape shape{.warps = 3, .entries = 6, .trigger = SelectTrigger::half};
    using Driven = twin::Driven<SubwarpPorts, Rtl>;
    SubwarpTraffic<Driven> traffic(shape, 1, [&] {
      return std::make_unique<Driven>(SubwarpPorts::Shape{shape.warps, shape.entries});
    });
    for (unsigned cycle = 0; cycle < 50000; ++cycle) traffic.cycle();
  });
}

}  // namespace

TEST_CASE("each assertion of subwarp schedulers' RTL finds a fault") {
  CHECK(failing<Vstalled_for_its_results>() == "stalled_for_its_results");
  CHECK(failing<Vtold_state_holds>() == "told_state_holds");
  CHECK(failing<Vone_subwarp_is_active>() == "one_subwarp_is_active");
  CHECK(failing<Vlowest_warp_changes>() == "lowest_warp_changes");
  CHECK(failing<Vas_the_trigger_says>() == "as_the_trigger_says");
  CHECK(failing<Vready_entries_get_a_turn>() == "ready_entries_get_a_turn");
}
