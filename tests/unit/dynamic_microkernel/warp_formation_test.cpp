// SPDX-License-Identifier: Apache-2.0
#include "models/schemes/dynamic_microkernel/warp_formation.hpp"

#include <catch2/catch.hpp>
#include <map>
#include <random>
#include <vector>

#include "models/schemes/dynamic_microkernel/dynamic_scheduler.hpp"
#include "tests/unit/dynamic_ray_shuffling/asker.hpp"

using namespace reconverge;
using namespace reconverge::tests;

namespace {

struct Bench {
  SimulationContext context;
  WarpFormation block;
  Asker<WarpPop> pop{"pop", block.full_warps()};
  Asker<PartialWarp> force{"force", block.partial_warps()};

  Bench(std::size_t lines, std::size_t fifo, std::uint64_t entries) : block("formation", lines, fifo) {
    elaborate();
    block.begin(0, entries);
  }
};

}  // namespace

TEST_CASE("only a spawn that completes a warp waits for room in the FIFO") {
  Bench formation(2, 1, 16 * warp_size);
  formation.block.create(8, all_lanes);
  CHECK(formation.block.offer(8, all_lanes).stall == WarpFormation::Stall::fifo);
  CHECK(formation.block.offer(8, 0x7fff'ffff).stall == WarpFormation::Stall::none);
  CHECK(formation.pop().warp->pc == 8);
  CHECK(formation.block.offer(8, all_lanes).stall == WarpFormation::Stall::none);
  CHECK_FALSE(formation.pop().warp);
}

TEST_CASE("an offer predicts the creation") {
  Bench formation(2, 4, 16 * warp_size);
  formation.block.create(8, 0xffff);
  const WarpFormation::Offer offer = formation.block.offer(8, 0xff00'ff0f);
  REQUIRE(offer.full);
  CHECK(offer.address[0] == 16 * 4);
  CHECK(offer.address[3] == 19 * 4);
  CHECK(offer.address[8] == 20 * 4);
  CHECK(offer.address[31] == warp_size * 4 + 3 * 4);  // the last four continue in the second part
  formation.block.create(8, 0xff00'ff0f);
  CHECK(formation.pop().warp == offer.full);
  CHECK(formation.block.lut().partial_threads() == 4);
}

TEST_CASE("the area of the paper's formula always has room, and no thread is lost or begins twice") {
  // As many threads as fit an SM run, spawn and end in random order. Space that a warp frees is reused at once.
  const unsigned locations = GENERATE(1U, 2U, 7U);
  const unsigned warps = GENERATE(1U, 2U, 6U);
  Bench formation(locations, warps, PartialWarpPool::entries(std::uint64_t{warps} * warp_size, locations));
  std::mt19937 random(locations * 100 + warps);
  struct Running {
    std::optional<NewWarp> warp;
    LaneMask left = all_lanes;  // threads that have not spawned
    std::vector<std::uint32_t> threads;
  };
  std::vector<Running> running;
  std::map<SpawnAddress, std::uint32_t> waiting;  // by formation entry: the parent of the thread in the entry
  std::vector<std::uint32_t> ended(warps * warp_size, 0);
  for (unsigned warp = 0; warp < warps; ++warp) {
    Running one;
    for (unsigned lane = 0; lane < warp_size; ++lane) one.threads.push_back(warp * warp_size + lane);
    running.push_back(one);
  }
  std::vector<unsigned> lives(warps * warp_size, 0);
  for (unsigned step = 0; !running.empty() || !waiting.empty(); ++step) {
    REQUIRE(step < 100'000);
    if (running.size() < warps) {
      std::optional<NewWarp> next = formation.pop().warp;
      if (!next && running.empty()) next = formation.force().warp;
      if (next) {
        Running one{next, all_lanes >> (warp_size - next->threads), {}};
        for (unsigned i = 0; i < next->threads; ++i) {
          const auto found = waiting.find(next->first() + i * 4);
          REQUIRE(found != waiting.end());
          one.threads.push_back(found->second);
          waiting.erase(found);
        }
        running.push_back(one);
      }
    }
    if (running.empty()) continue;
    Running& one = running[random() % running.size()];
    LaneMask lanes = one.left & random();
    if (random() % 3 == 0) lanes = one.left;
    if (lanes != 0) {
      LaneMask spawn = 0;
      for_each_lane(lanes, [&](unsigned lane) {
        const std::uint32_t thread = one.threads[lane];
        ++lives[thread] < 8 ? spawn |= lane_bit(lane) : ++ended[thread];
      });
      const kernel::Pc pc = 10 + random() % locations;
      if (spawn != 0) {
        const WarpFormation::Offer offer = formation.block.offer(pc, spawn);
        REQUIRE(offer.stall == WarpFormation::Stall::none);
        for_each_lane(spawn,
                      [&](unsigned lane) { REQUIRE(waiting.emplace(offer.address[lane], one.threads[lane]).second); });
        formation.block.create(pc, spawn);
      }
      one.left &= ~lanes;
    }
    if (one.left != 0) continue;
    if (one.warp) formation.block.release(*one.warp);
    running.erase(running.begin() + (&one - running.data()));
  }
  CHECK(std::ranges::all_of(ended, [](std::uint32_t times) { return times == 1; }));
}
