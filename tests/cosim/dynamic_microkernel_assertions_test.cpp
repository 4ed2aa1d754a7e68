// SPDX-License-Identifier: Apache-2.0
/// The assertions of warp formation's RTL, tested: each finds a fault of its own in a small block.

#include <catch2/catch.hpp>

#include "Vaddresses_are_unique.h"
#include "Vfull_warp_is_whole.h"
#include "Vno_thread_is_dropped.h"
#include "Vone_line.h"
#include "Vpart_of_one_owner.h"
#include "Vpartial_warp_is_all.h"
#include "Vwhole_warps_wait_once.h"
#include "models/cosim/dynamic_microkernel/bench/lock_step.hpp"
#include "tests/cosim/failing_assertion.hpp"

using namespace reconverge;
using namespace reconverge::tests;

namespace {

/// The name of the assertion that fails, with micro-kernels at addresses below 2^`pc_bits`.
template <typename Rtl>
std::string failing(unsigned pc_bits = 16, std::uint32_t seed = 1) {
  return failing_assertion([&] {
    const FormationTrafficShape shape{
        .lut_lines = 3, .fifo = 2, .regions = 12, .warps = 8, .micro_kernels = 3, .pc_bits = pc_bits};
    using Driven = twin::Driven<FormationPorts, Rtl>;
    FormationTraffic<Driven> traffic(
        shape, seed, [](std::uint32_t regions) { return std::make_unique<Driven>(FormationPorts::Shape{regions}); });
    for (unsigned cycle = 0; cycle < 5000; ++cycle) traffic.cycle();
  });
}

}  // namespace

TEST_CASE("each assertion of warp formation's RTL finds a fault") {
  CHECK(failing<Vaddresses_are_unique>() == "addresses_are_unique");
  CHECK(failing<Vno_thread_is_dropped>() == "no_thread_is_dropped");
  CHECK(failing<Vpart_of_one_owner>() == "part_of_one_owner");
  CHECK(failing<Vwhole_warps_wait_once>() == "whole_warps_wait_once");
  // Among four addresses, where the fault makes two alike, before it fills the table.
  CHECK(failing<Vone_line>(2, 2) == "one_line");
  CHECK(failing<Vfull_warp_is_whole>() == "full_warp_is_whole");
  CHECK(failing<Vpartial_warp_is_all>() == "partial_warp_is_all");
}
