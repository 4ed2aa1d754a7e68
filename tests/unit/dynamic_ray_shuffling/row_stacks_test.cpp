// SPDX-License-Identifier: Apache-2.0
// Stacks of moved rays as caches find them, and the lines that a warp requests for them.

#include "models/schemes/dynamic_ray_shuffling/row_stacks.hpp"

#include <functional>
#include <set>

#include "tests/unit/dynamic_ray_shuffling/shuffling_bench.hpp"

namespace reconverge::tests {
namespace {

constexpr DeviceAddress begin = 0x2080;
constexpr std::uint64_t entries = 65;
constexpr std::uint64_t places = 64 * warp_size;
constexpr DeviceAddress local_address = DeviceAddress{0x103} << 32U;

RayStacks stacks_of(unsigned entry_bytes) { return {begin, places * entries * entry_bytes, entries * entry_bytes}; }

/// Entry `depth(lane)` of the stack of place `place(lane)`, as trace_shuffled lays them out.
MemoryAccess stack_access(unsigned bytes, const std::function<unsigned(unsigned)>& place,
                          const std::function<unsigned(unsigned)>& depth) {
  MemoryAccess access;
  access.space = kernel::Space::global;
  access.lanes = all_lanes;
  access.bytes = bytes;
  for (unsigned lane = 0; lane < warp_size; ++lane) {
    const std::uint64_t group = place(lane) / warp_size;
    const std::uint64_t entry = (group * entries + depth(lane)) * warp_size + place(lane) % warp_size;
    access.address[lane] = begin + entry * bytes;
  }
  return access;
}

std::size_t lines(const MemoryAccess& access) {
  std::set<DeviceAddress> distinct;
  for_each_lane(access.lanes, [&](unsigned lane) { distinct.insert(access.address[lane] / 128); });
  return distinct.size();
}

/// Rays that began in as many groups of places as the row has lanes.
unsigned scattered(unsigned lane) { return lane * warp_size + (lane * 7 + 3) % warp_size; }
unsigned fifth(unsigned /*lane*/) { return 5; }

}  // namespace

TEST_CASE("row stacks: a row of 32 moved rays at one depth accesses one line instead of 32") {
  MemoryAccess access = stack_access(4, scattered, fifth);
  CHECK(lines(access) == 32);
  const RowStacks stacks(stacks_of(4));
  REQUIRE(stacks.hold(access));
  stacks.place(2, local_address, access);
  CHECK(lines(access) == 1);
  CHECK(access.space == kernel::Space::local);
  for (unsigned lane = 1; lane < warp_size; ++lane) CHECK(access.address[lane] == access.address[0] + 4 * lane);
}

TEST_CASE("row stacks: each depth has a line, and each row has other lines") {
  const RowStacks stacks(stacks_of(4));
  std::set<DeviceAddress> seen;
  for (const std::size_t row : {0U, 1U, 62U}) {
    MemoryAccess access = stack_access(4, scattered, [](unsigned lane) { return lane / 8 + 40; });
    stacks.place(row, local_address, access);
    CHECK(lines(access) == 4);
    for (const DeviceAddress address : access.address) seen.insert(address);
  }
  CHECK(seen.size() == 3 * warp_size);
  CHECK(*seen.rbegin() >> 32U == local_address >> 32U);
}

TEST_CASE("row stacks: entries of eight bytes at one depth take two lines") {
  MemoryAccess access = stack_access(8, scattered, fifth);
  CHECK(lines(access) == 32);
  RowStacks(stacks_of(8)).place(0, local_address, access);
  CHECK(lines(access) == 2);
}

TEST_CASE("row stacks: other accesses are no stacks") {
  const RowStacks stacks(stacks_of(4));
  MemoryAccess access = stack_access(4, scattered, fifth);
  access.lanes = 0;
  CHECK_FALSE(stacks.hold(access));
  access.lanes = lane_bit(3);
  access.address[3] = begin - 4;
  CHECK_FALSE(stacks.hold(access));
  access.address[3] = begin;
  CHECK(stacks.hold(access));
  access.address[3] = begin + places * entries * 4;
  CHECK_FALSE(stacks.hold(access));
  access.address[3] = begin;
  CHECK_FALSE(RowStacks().hold(access));
}

TEST_CASE("shuffling: by default, stacks are where the launch has them") {
  CHECK(ShufflingBench<RayShuffler>().scheme.stack_accesses() == nullptr);
}

TEST_CASE("shuffling: stacks are at the row of the warp, if it has one") {
  ShufflingBench<RayShuffler> bench(DynamicRayShufflingStacks::row);
  bench.launch.ray_stacks = stacks_of(4);
  bench.scheme.begin({bench.launch, bench.image, 2});
  bench.run_until_idle();
  const MemoryAccess access = stack_access(4, scattered, fifth);
  const auto first_address = [&](std::uint32_t slot) {
    StackRequest request;
    request.slot = slot;
    request.local_address = local_address;
    request.access = access;
    sc_core::sc_time delay;
    bench.scheme.stack_accesses()->get_base_interface().b_transport(request, delay);
    return request.access.address[0];
  };
  SECTION("a warp that gets another row") {
    bench.part_the_second();
    const DeviceAddress before = first_address(1);
    CHECK(before - first_address(0) == warp_size * entries * 4);  // rows 0 and 1
    bench.control(1);
    const DeviceAddress after = first_address(1);
    CHECK(after > before);
    CHECK((after - before) % (warp_size * entries * 4) == 0);
  }
  SECTION("a warp that has released its row and gets none") {
    bench.mix_all_rows();
    REQUIRE(bench.control(1) == SchemeAnswer::wait);
    CHECK(first_address(1) == access.address[0]);
  }
}

}  // namespace reconverge::tests
