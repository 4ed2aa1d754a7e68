// SPDX-License-Identifier: Apache-2.0
/// The assertions of the RTL of Benes networks, tested: each finds a fault of its own in a small network.

#include <catch2/catch.hpp>

#include "Vbank_is_kept.h"
#include "Vorder_is_kept.h"
#include "Vports_are_read.h"
#include "Vrecords_are_packed.h"
#include "Vrecords_return.h"
#include "Vstripes_go_on.h"
#include "Vtwo_clocks_at_most.h"
#include "Vwhole_groups_split_at_once.h"
#include "models/cosim/benes_network/bench/lock_step.hpp"
#include "tests/cosim/failing_assertion.hpp"

using namespace reconverge;
using namespace reconverge::tests;

namespace {

/// The name of the assertion that fails.
template <typename Rtl>
std::string failing() {
  return failing_assertion([] {
    using Driven = twin::Driven<NetworkPorts, Rtl>;
    NetworkTraffic<Driven> traffic({.ports = 8, .register_every = 2}, 1,
                                   std::make_unique<Driven>(NetworkPorts::Shape{8, 8}));
    for (unsigned cycle = 0; cycle < 5000; ++cycle) traffic.cycle();
  });
}

}  // namespace

TEST_CASE("each assertion of a Benes network's RTL finds a fault") {
  CHECK(failing<Vrecords_are_packed>() == "records_are_packed");
  CHECK(failing<Vorder_is_kept>() == "order_is_kept");
  CHECK(failing<Vrecords_return>() == "records_return");
  CHECK(failing<Vbank_is_kept>() == "bank_is_kept");
  CHECK(failing<Vports_are_read>() == "ports_are_read");
  CHECK(failing<Vtwo_clocks_at_most>() == "two_clocks_at_most");
  CHECK(failing<Vstripes_go_on>() == "stripes_go_on");
  CHECK(failing<Vwhole_groups_split_at_once>() == "whole_groups_split_at_once");
}
