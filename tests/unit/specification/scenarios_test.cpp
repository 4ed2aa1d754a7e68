// SPDX-License-Identifier: Apache-2.0
/// Each scenario of a specification page shows what its title says.

#include "platforms/specification/scenarios/scenarios.hpp"

#include <algorithm>
#include <catch2/catch.hpp>

using namespace reconverge;
using namespace reconverge::specification;

namespace {

template <typename Ports>
TimingDiagram diagram_of(const std::vector<Scenario<Ports>>& scenarios, std::string_view name) {
  const auto found = std::ranges::find(scenarios, name, &Scenario<Ports>::name);
  REQUIRE(found != scenarios.end());
  return found->diagram();
}

using Values = std::vector<std::optional<std::string>>;

const Values& values_of(const TimingDiagram& diagram, std::string_view signal) {
  const auto found = std::ranges::find(diagram.signals, signal, &DiagramSignal::name);
  REQUIRE(found != diagram.signals.end());
  return found->values;
}

/// The values in order, without repetitions and without cycles in which they do not matter.
std::vector<std::string> changes(const Values& values) {
  std::vector<std::string> result;
  for (const auto& value : values) {
    if (value && (result.empty() || result.back() != *value)) result.push_back(*value);
  }
  return result;
}

std::size_t first_cycle(const Values& values, std::string_view wanted) {
  return static_cast<std::size_t>(std::ranges::find(values, std::optional<std::string>(wanted)) - values.begin());
}

using Texts = std::vector<std::string>;

}  // namespace

TEST_CASE("rdctrl that keeps its row answers after five cycles with the row of the warp") {
  const TimingDiagram diagram = diagram_of(ray_scenarios(), "rdctrl_keeps_its_row");
  CHECK(changes(values_of(diagram, "answer_o")) == Texts{"row"});
  CHECK(changes(values_of(diagram, "answer_row_o")) == Texts{"0"});
  CHECK(first_cycle(values_of(diagram, "control_valid_i"), "1") == 0);
  CHECK(first_cycle(values_of(diagram, "answer_valid_o"), "1") == 5);
}

TEST_CASE("rdctrl without a row in one state stalls") {
  const TimingDiagram diagram = diagram_of(ray_scenarios(), "rdctrl_stalls");
  CHECK(changes(values_of(diagram, "control_warp_i")) == Texts{"1"});
  CHECK(changes(values_of(diagram, "answer_o")) == Texts{"stall"});
}

TEST_CASE("a swap in both directions reads and writes as many lanes of both rows") {
  const TimingDiagram diagram = diagram_of(ray_scenarios(), "two_way_swap");
  const Texts rows = changes(values_of(diagram, "read_row_o"));
  REQUIRE(rows.size() >= 4);
  CHECK(rows[0] != rows[1]);
  CHECK(rows[0] == rows[2]);
  CHECK(rows[1] == rows[3]);
  // What is read from one row is written to the other.
  const Texts written = changes(values_of(diagram, "write_row_o"));
  REQUIRE(written.size() >= 2);
  CHECK(written[0] == rows[1]);
  CHECK(written[1] == rows[0]);
}

TEST_CASE("the second spawn completes a warp, which leaves the FIFO when it is taken") {
  const TimingDiagram diagram = diagram_of(formation_scenarios(), "spawn_fills_a_warp");
  CHECK(changes(values_of(diagram, "spawn_completes_o")) == Texts{"no", "yes"});
  CHECK(changes(values_of(diagram, "full_valid_o")) == Texts{"0", "1", "0"});
  CHECK(values_of(diagram, "partial_threads_o").back() == "4");
}

TEST_CASE("a micro-kernel without a line of the spawn LUT stalls") {
  const TimingDiagram diagram = diagram_of(formation_scenarios(), "lut_overflow");
  CHECK(changes(values_of(diagram, "spawn_stall_o")) == Texts{"none", "area", "none", "area"});
  CHECK(changes(values_of(diagram, "spawn_pc_i")) == Texts{"40", "80", "c0", "100", "80", "100"});
}

TEST_CASE("threads wake up in the cycle after their last result") {
  const TimingDiagram diagram = diagram_of(subwarp_scenarios(), "wakeup");
  CHECK(changes(values_of(diagram, "STALLED of warp 0")) == Texts{"0", "ffff", "ff00", "0"});
  CHECK(changes(values_of(diagram, "READY of warp 0")) == Texts{"0", "ff", "ffff"});
}

TEST_CASE("a warp whose ACTIVE subwarp stalls switches to the READY one") {
  const TimingDiagram diagram = diagram_of(subwarp_scenarios(), "selection");
  CHECK(changes(values_of(diagram, "ACTIVE of warp 0")) == Texts{"0", "ffffffff", "ffff", "0", "ffff0000"});
  CHECK(changes(values_of(diagram, "offer_valid_o")) == Texts{"0", "1", "0"});
}

TEST_CASE("records that do not fit into a row of stripes begin the next row") {
  const TimingDiagram diagram = diagram_of(network_scenarios(), "packing_over_a_row");
  CHECK(changes(values_of(diagram, "first_i")) == Texts{"0", "5"});
  CHECK(changes(values_of(diagram, "next_first_o")) == Texts{"5", "2"});
  CHECK(changes(values_of(diagram, "data_o by port")) == Texts{"12357---", "56---024"});
}

TEST_CASE("a split that cannot be routed in one clock takes two") {
  const TimingDiagram diagram = diagram_of(network_scenarios(), "split");
  CHECK(changes(values_of(diagram, "ready_o")) == Texts{"1", "0", "1"});
}
