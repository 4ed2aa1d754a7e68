// SPDX-License-Identifier: Apache-2.0
#include "models/execution/device_memory.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <random>
#include <span>
#include <vector>

#include "models/core/error.hpp"

namespace reconverge {
namespace {

constexpr std::uint64_t small = std::uint64_t{1} << 20U;

TEST_CASE("freed memory is reused and zeroed", "[device_memory]") {
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

TEST_CASE("memory does not leak: freed memory can be allocated again", "[device_memory]") {
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

TEST_CASE("a variable of the host is a buffer at its own address", "[device_memory]") {
  constexpr std::size_t page = 4096;
  void* const low = ::mmap(nullptr, 3 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_32BIT, -1, 0);
  REQUIRE(low != MAP_FAILED);
  auto* const bytes = static_cast<std::byte*>(low);
  DeviceMemory memory(small);
  const std::span<std::byte> variable(bytes + page, page + 100);
  variable[page] = std::byte{3};
  bytes[2 * page + 200] = std::byte{4};  // same page
  const auto address = reinterpret_cast<DeviceAddress>(variable.data());
  for (int time = 0; time < 2; ++time) {
    REQUIRE(memory.share("v", variable) == address);
    REQUIRE(memory.find(address + page + 99) != nullptr);
    CHECK(memory.find(address + page + 100) == nullptr);
    CHECK(memory.host()[address + page] == std::byte{3});
    CHECK(bytes[2 * page + 200] == std::byte{4});
    variable[7] = std::byte{5};
    memory.view(address)[8] = std::byte{6};
    CHECK(memory.view(address)[7] == std::byte{5});
    CHECK(variable[8] == std::byte{6});
    CHECK_FALSE(memory.release(address));
    memory.release_all();
    CHECK(variable[8] == std::byte{6});
  }
  std::byte high{};
  CHECK_THROWS_AS(memory.share("h", {&high, 1}), InputError);
  ::munmap(low, 3 * page);
}

}  // namespace
}  // namespace reconverge
