// SPDX-License-Identifier: Apache-2.0
// The spawn LUT, the adder and the formation area, each through its sockets (Steffen and Zambreno, MICRO 2010, Fig. 5).

#include "models/schemes/dynamic_microkernel/spawn_lut.hpp"

#include <catch2/catch.hpp>

#include "models/schemes/dynamic_microkernel/partial_warp_pool.hpp"
#include "models/schemes/dynamic_microkernel/thread_address_adder.hpp"
#include "tests/unit/dynamic_ray_shuffling/asker.hpp"

using namespace reconverge;
using namespace reconverge::tests;

namespace {

constexpr kernel::Pc loop = 40;
constexpr kernel::Pc leaf = 90;
constexpr SpawnAddress area = 1000;
constexpr SpawnAddress warp_of_entries = 128;

/// A LUT and its formation area.
struct Table {
  SimulationContext context;
  SpawnLut lut;
  PartialWarpPool pool{"pool"};
  Asker<SpawnLookup> look_up{"look_up", lut.lookups};
  Asker<PartialWarp> force{"force", lut.partial_warps};
  Asker<FormationRegion> regions{"regions", pool.regions};

  Table(std::size_t lines, std::uint64_t entries) : lut("lut", lines) {
    lut.regions.bind(pool.regions);
    elaborate();
    lut.begin();
    pool.begin(area, entries);
  }
  SpawnLookup create(kernel::Pc pc, std::uint32_t threads) { return look_up({pc, threads, true}); }
};

}  // namespace

TEST_CASE("Figure 5: a line has two addresses and a counter and the last thread announces a full warp") {
  Table table(4, 8 * warp_size);
  // Twenty threads advance the first address and the counter by twenty.
  SpawnLookup spawn = table.create(loop, 20);
  CHECK(spawn.first == area);
  CHECK(spawn.second == area + warp_of_entries);
  CHECK(spawn.count == 0);
  CHECK_FALSE(spawn.full);
  CHECK(table.lut.lines()[0] == SpawnLut::Line{loop, area + 20 * 4, area + warp_of_entries, 20});
  // Another micro-kernel gets a separate line and the next free addresses.
  spawn = table.create(leaf, 5);
  CHECK(spawn.first == area + 2 * warp_of_entries);
  CHECK(table.lut.lines()[1] == SpawnLut::Line{leaf, area + 2 * warp_of_entries + 20, area + 3 * warp_of_entries, 5});
  // Of twenty more threads, twelve fill the warp. Eight start the warp at the second address, which becomes the first
  // address. The new second address is the next free one.
  spawn = table.create(loop, 20);
  CHECK(spawn.first == area + 20 * 4);
  CHECK(spawn.second == area + warp_of_entries);
  CHECK(spawn.count == 20);
  REQUIRE(spawn.full);
  CHECK(*spawn.full == NewWarp{loop, area + 31 * 4, warp_size});
  CHECK(spawn.full->first() == area);
  CHECK(table.lut.lines()[0] == SpawnLut::Line{loop, area + warp_of_entries + 8 * 4, area + 4 * warp_of_entries, 8});
  // The threads fill the warp exactly, so the next warp starts at the second address.
  spawn = table.create(loop, 24);
  REQUIRE(spawn.full);
  CHECK(spawn.full->last == area + warp_of_entries + 31 * 4);
  CHECK(table.lut.lines()[0] == SpawnLut::Line{loop, area + 4 * warp_of_entries, area + 5 * warp_of_entries, 0});
  CHECK(table.lut.partial_threads() == 5);
}

TEST_CASE("a lookup creates no thread") {
  Table table(1, 4 * warp_size);
  table.create(loop, 30);
  const SpawnLut::Line before = table.lut.lines()[0];
  const SpawnLookup look = table.look_up({loop, 3, false});
  CHECK(look.full);
  CHECK(look.first == area + 120);
  CHECK(table.lut.lines()[0] == before);
}

TEST_CASE("a spawn without a free line or part is refused and changes nothing") {
  Table table(2, 2 * warp_size);
  table.create(loop, 32);
  // The area is exhausted: one part belongs to the full warp, the other is at the line's first address.
  CHECK(table.pool.taken() == 2);
  CHECK(table.create(leaf, 1).no_room);
  const SpawnLut::Line before = table.lut.lines()[0];
  CHECK(before.second == SpawnLut::Line::none);
  CHECK_FALSE(table.create(loop, 31).no_room);
  CHECK(table.create(loop, 2).no_room);  // one thread would need a second partial warp
  CHECK_FALSE(table.create(loop, 1).no_room);
  CHECK(table.create(loop, 1).no_room);
  table.regions({FormationRegion::Kind::release, 0, area});
  CHECK(table.create(loop, 1).first == area);
}

TEST_CASE("each micro-kernel has a line") {
  Table table(1, 8 * warp_size);
  table.create(loop, 1);
  CHECK(table.create(leaf, 1).no_room);
  CHECK_FALSE(table.create(loop, 1).no_room);
}

TEST_CASE("the partial warp of the lowest micro-kernel address leaves first") {
  Table table(4, 16 * warp_size);
  table.create(leaf, 3);
  table.create(loop, 7);
  table.create(5, 32);
  PartialWarp partial = table.force();
  REQUIRE(partial.warp);
  CHECK(partial.warp->pc == loop);
  CHECK(partial.warp->threads == 7);
  CHECK(partial.warp->first() == area + 2 * warp_of_entries);
  partial = table.force();
  REQUIRE(partial.warp);
  CHECK(*partial.warp == NewWarp{leaf, area + 2 * 4, 3});
  CHECK_FALSE(table.force().warp);
  // More threads of the micro-kernel form a new warp.
  CHECK(table.create(loop, 1).count == 0);
  CHECK(table.lut.partial_threads() == 1);
}

TEST_CASE("Figure 5: addresses are unique and sequential over the active lanes") {
  const SimulationContext context;
  ThreadAddressAdder adder("adder");
  Asker<ThreadAddresses> sum("sum", adder.sums);
  elaborate();
  ThreadAddresses threads;
  threads.lanes = 0b1011'0110;
  threads.first = 500;
  threads.second = 900;
  threads.left = 3;
  threads = sum(threads);
  CHECK(threads.address[1] == 500);
  CHECK(threads.address[2] == 504);
  CHECK(threads.address[4] == 508);
  CHECK(threads.address[5] == 900);
  CHECK(threads.address[7] == 904);
  // An inactive lane passes its address on to the next lane.
  CHECK(threads.address[0] == threads.address[1]);
  CHECK(threads.address[3] == threads.address[4]);
  CHECK(threads.address[6] == threads.address[7]);
}

TEST_CASE("the formation area has twice as many entries as can be active") {
  CHECK(PartialWarpPool::entries(800, 3) == 2 * (800 + 2 * 32));
  CHECK(PartialWarpPool::entries(512, 1) == 1024);
  CHECK(PartialWarpPool::entries(512, 0) == 0);
}
