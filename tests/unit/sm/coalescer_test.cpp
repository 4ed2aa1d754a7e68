// SPDX-License-Identifier: Apache-2.0
// Bank conflicts of shared memory, compared with a count of the words that each bank serves.

#include "models/sm/coalescer.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <map>
#include <random>
#include <set>

namespace reconverge {
namespace {

unsigned cycles_by_sets(const MemoryAccess& access, const SharedBanks& memory) {
  unsigned served = 0;
  for (unsigned begin = 0; begin < warp_size; begin += memory.lanes) {
    std::map<std::uint64_t, std::set<std::uint64_t>> words;
    for (unsigned lane = begin; lane < begin + memory.lanes; ++lane) {
      if ((access.lanes & lane_bit(lane)) == 0) continue;
      words[access.address[lane] / 4 % memory.banks.divisor()].insert(access.address[lane] / 4);
    }
    std::size_t worst = 0;
    for (const auto& [bank, of_bank] : words) worst = std::max(worst, of_bank.size());
    served += static_cast<unsigned>(worst);
  }
  return (served + memory.ports - 1) / memory.ports;
}

}  // namespace

TEST_CASE("shared memory takes a cycle for each word that the busiest bank serves") {
  std::mt19937 random(7);
  for (const unsigned lanes : {16U, 32U}) {
    for (const unsigned banks : {16U, 32U, 24U}) {
      for (const std::uint64_t words : {8U, 64U, 4096U, 200'000U}) {
        const SharedBanks memory{Divisor(banks), lanes, 1 + static_cast<unsigned>(random() % 2)};
        INFO(lanes << " lanes together, " << banks << " banks, " << memory.ports << " ports, " << words << " words");
        for (unsigned i = 0; i < 100; ++i) {
          MemoryAccess access;
          access.bytes = 4;
          access.lanes = i % 4 == 0 ? all_lanes : static_cast<LaneMask>(random() & (i % 4 == 1 ? ~0U : random()));
          for (DeviceAddress& address : access.address) address = 4 * (random() % words);
          REQUIRE(shared_memory_cycles(access, memory) == cycles_by_sets(access, memory));
        }
      }
    }
  }
}

}  // namespace reconverge
