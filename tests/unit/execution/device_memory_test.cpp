// SPDX-License-Identifier: Apache-2.0
#include "models/execution/device_memory.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <random>
#include <vector>

#include "models/core/error.hpp"

namespace reconverge {
namespace {

constexpr std::uint64_t small = std::uint64_t{1} << 20U;

TEST_CASE("a freed place is used again, with zeros", "[device_memory]") {
  DeviceMemory memory(small);
  const DeviceAddress first = memory.allocate("a", 1000);
  const DeviceAddress second = memory.allocate("b", 1000);
  std::ranges::fill(memory.view(first), std::byte{7});
  REQUIRE(memory.release(first));
  CHECK_FALSE(memory.release(first));
  CHECK_FALSE(memory.release(second + 1));
  CHECK(memory.find(first) == nullptr);
  CHECK(memory.allocate("c", 900) == first);
  CHECK(std::ranges::all_of(memory.view(first), [](std::byte byte) { return byte == std::byte{0}; }));
  CHECK(memory.find(first + 899)->name == "c");
  CHECK(memory.find(first + 900) == nullptr);
  CHECK(memory.find(second)->name == "b");
}

TEST_CASE("memory does not leak: what is freed can be allocated", "[device_memory]") {
  DeviceMemory memory(small);
  for (int round = 0; round < 1000; ++round) REQUIRE(memory.release(memory.allocate("half", small / 2)));
  const DeviceAddress half = memory.allocate("half", small / 2);
  REQUIRE_THROWS_AS(memory.allocate("more", small / 2), InputError);
  REQUIRE_THROWS_AS(memory.allocate("much more", ~std::uint64_t{0}), InputError);
  REQUIRE(memory.release(half));
}

TEST_CASE("all buffers can be freed at once", "[device_memory]") {
  DeviceMemory memory(small);
  const DeviceAddress first = memory.upload("a", std::span<const std::byte>(std::vector(300, std::byte{5})));
  memory.allocate("b", 1000);
  memory.release_all();
  CHECK(memory.buffers().empty());
  CHECK(memory.allocate("c", 300) == first);
  CHECK(memory.view(first)[299] == std::byte{0});
}

TEST_CASE("buffers of random sizes keep their contents and do not overlap", "[device_memory]") {
  DeviceMemory memory(small);
  std::mt19937 random(1);
  std::vector<DeviceAddress> live;
  for (int step = 0; step < 3000; ++step) {
    if (live.size() > 20) {
      const std::size_t gone = random() % live.size();
      const auto mark = static_cast<std::byte>(live[gone] >> 8U);
      REQUIRE(std::ranges::all_of(memory.view(live[gone]), [&](std::byte byte) { return byte == mark; }));
      REQUIRE(memory.release(live[gone]));
      live.erase(live.begin() + static_cast<std::ptrdiff_t>(gone));
    }
    live.push_back(memory.allocate("x", random() % 20'000));
    std::ranges::fill(memory.view(live.back()), static_cast<std::byte>(live.back() >> 8U));
  }
  CHECK(std::ranges::is_sorted(memory.buffers(), {}, &Buffer::address));
}

}  // namespace
}  // namespace reconverge
