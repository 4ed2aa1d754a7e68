// SPDX-License-Identifier: Apache-2.0
#include "models/stream/benes_network/record_packing.hpp"

#include <catch2/catch.hpp>
#include <random>
#include <string>
#include <vector>

using namespace reconverge;

namespace {

/// Whether each record of the group leaves the network at the port that `ports_of` returns, and returns to its lane
/// through the reversed network.
bool moves(const RecordPacking& packing, const RecordGroup& group) {
  const auto settings = packing.settings_of(group);
  if (!settings) return false;
  const PortMap to = packing.ports_of(group);
  PortMap values{};
  for (unsigned lane = 0; lane < packing.routing().ports(); ++lane) values[lane] = static_cast<std::uint8_t>(lane + 1);
  const PortMap before = values;
  packing.routing().apply(*settings, values);
  for (unsigned lane = 0; lane < packing.routing().ports(); ++lane) {
    if ((group.active >> lane & 1U) != 0 && values[to[lane]] != before[lane]) return false;
  }
  packing.routing().apply(packing.routing().reversed(*settings), values);
  return values == before;
}

/// Calls `check` with all groups of a small network.
template <typename Check>
void for_each_group(unsigned ports, const Check& check) {
  const PortMask all = BenesRouting(ports).all_ports();
  for (PortMask active = 0; active <= all; ++active) {
    for (PortMask taken = active;; taken = (taken - 1) & active) {
      for (unsigned first = 0; first < ports; ++first) {
        for (unsigned second = 0; second < ports; ++second) check(RecordGroup{active, taken, first, second});
      }
      if (taken == 0) break;
    }
  }
}

RecordGroup random_group(std::mt19937_64& random, const BenesRouting& network) {
  const auto stripe = [&] { return static_cast<unsigned>(random()) & network.around(); };
  return {random() & network.all_ports(), random(), stripe(), stripe()};
}

}  // namespace

TEST_CASE("popa.benes.rearrangeable: packing 16 lanes is dense, in order and aligned") {
  const RecordPacking packing{BenesRouting(16)};
  std::uint64_t wrong = 0;
  for (PortMask active = 0; active <= 0xffff; ++active) {
    for (unsigned first = 0; first < 16; ++first) {
      const RecordGroup group{active, active, first, 0};
      if (!moves(packing, group)) ++wrong;
      // Consecutive records are in consecutive stripes.
      const PortMap ports = packing.ports_of(group);
      unsigned next = first;
      for (unsigned lane = 0; lane < 16; ++lane) {
        if ((active >> lane & 1U) == 0) continue;
        if (ports[lane] != next) ++wrong;
        next = (next + 1) % 16;
      }
      if (next != packing.next_first(group)) ++wrong;
    }
  }
  CHECK(wrong == 0);
}

TEST_CASE("A split takes one clock exactly if no two records need different settings of a switch") {
  for (const unsigned ports : {2U, 4U, 8U}) {
    const RecordPacking packing{BenesRouting(ports)};
    std::uint64_t wrong = 0;
    std::uint64_t at_once = 0;
    std::uint64_t twice = 0;
    for_each_group(ports, [&](const RecordGroup& group) {
      const bool once = packing.at_once(group);
      ++(once ? at_once : twice);
      if (once != packing.settings_of(group).has_value()) ++wrong;
      if (once ? !moves(packing, group) : !(moves(packing, of_first(group)) && moves(packing, of_second(group))))
        ++wrong;
    });
    CHECK(wrong == 0);
    CHECK(at_once > 0);
    CHECK(twice > 0);
  }
}

TEST_CASE("A split takes one clock if the banks' stripes meet and records are in the lowest lanes") {
  for (const unsigned ports : {2U, 4U, 8U}) {
    const RecordPacking packing{BenesRouting(ports)};
    std::uint64_t wrong = 0;
    for_each_group(ports, [&](const RecordGroup& group) {
      const bool meet = (group.second + 1) % ports == group.first;
      const bool lowest = (group.active & (group.active + 1)) == 0;
      if (meet && lowest && !packing.at_once(group)) ++wrong;
      // After a group of all lanes, the next ports of both streams are adjacent again.
      const bool meet_again = (packing.next_second(group) + 1) % ports == packing.next_first(group);
      if (meet && group.active == packing.routing().all_ports() && !meet_again) ++wrong;
    });
    CHECK(wrong == 0);
  }
}

TEST_CASE("A split of other lanes may take two clocks, even if its ports are different") {
  const RecordPacking packing{BenesRouting(4)};
  // The records of lanes 1 and 2 go to ports 0 and 1, and the record of lane 3 goes to port 3. So lanes 2 and 3 both
  // need an odd port.
  const RecordGroup group{0b1110, 0b0110, 0, 3};
  CHECK(packing.ports_of(group)[3] == 3);
  CHECK_FALSE(packing.at_once(group));
}

TEST_CASE("Random splits of 16 to 64 lanes follow the rule") {
  std::mt19937_64 random(1);
  for (unsigned ports = 16; ports <= most_network_ports; ports *= 2) {
    const RecordPacking packing{BenesRouting(ports)};
    std::uint64_t wrong = 0;
    for (unsigned run = 0; run < 20'000; ++run) {
      RecordGroup group = random_group(random, packing.routing());
      if (run % 4 == 0) group.active = packing.routing().all_ports();
      if (run % 2 == 0) group.second = (group.first - 1) & packing.routing().around();
      const bool once = packing.at_once(group);
      if (once != packing.settings_of(group).has_value()) ++wrong;
      if (once && !moves(packing, group)) ++wrong;
      if (!moves(packing, of_first(group)) || !moves(packing, of_second(group))) ++wrong;
    }
    CHECK(wrong == 0);
  }
}

TEST_CASE("popa.conditional_streams: the control stream restores the order of split records") {
  // Figs. 2.3 and 2.4: even integers go to one stream and odd integers to the other. The text has no numbers; these are
  // an example.
  const std::vector<int> stream{3, 8, 6, 1, 7, 2, 4, 5};
  const RecordPacking packing{BenesRouting(8)};
  RecordGroup group{0xff, 0, 0, 7};
  std::string control;
  for (unsigned lane = 0; lane < 8; ++lane) {
    const bool even = stream[lane] % 2 == 0;
    group.taken |= PortMask{even} << lane;
    control += even ? '1' : '0';
  }
  CHECK(control == "01100110");
  REQUIRE(packing.at_once(group));
  const NetworkSettings settings = *packing.settings_of(group);
  std::vector<int> memory = stream;
  packing.routing().apply(settings, memory);
  // Bank 0 grows from port 0 and bank 1 from port 7 downwards. Each is in order and has no gaps.
  CHECK(memory == std::vector<int>{8, 6, 2, 4, 5, 7, 1, 3});
  CHECK(packing.next_first(group) == 4);
  CHECK(packing.next_second(group) == 3);
  packing.routing().apply(packing.routing().reversed(settings), memory);
  CHECK(memory == stream);
}
