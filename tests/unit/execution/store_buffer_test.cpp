// SPDX-License-Identifier: Apache-2.0
#include "models/execution/store_buffer.hpp"

#include <catch2/catch.hpp>
#include <cstring>
#include <random>
#include <vector>

namespace reconverge {
namespace {

constexpr std::uint64_t memory_bytes = std::uint64_t{1} << 20;

std::vector<std::byte> bytes_of(std::uint64_t value, std::size_t count) {
  std::vector<std::byte> bytes(count);
  for (std::size_t i = 0; i < count; ++i) bytes[i] = static_cast<std::byte>(value >> 8 * (i % 8));
  return bytes;
}

std::vector<std::byte> copy_of(const DeviceMemory& memory, DeviceAddress buffer) {
  const auto bytes = memory.view(buffer);
  return {bytes.begin(), bytes.end()};
}

}  // namespace

TEST_CASE("a store is visible through the buffer, and memory changes when the buffer is moved there") {
  DeviceMemory memory(memory_bytes);
  const DeviceAddress buffer = memory.allocate("data", 256);
  StoreBuffer stores;
  CHECK(stores.empty());
  stores.store(buffer + 60, bytes_of(0x0807060504030201, 8));  // spans two lines
  CHECK_FALSE(stores.empty());
  std::vector<std::byte> seen(16, std::byte{0xee});
  stores.update(buffer + 56, seen);
  for (std::size_t i = 0; i < seen.size(); ++i) {
    const bool stored = i >= 4 && i < 12;
    CHECK(std::to_integer<unsigned>(seen[i]) == (stored ? i - 3 : 0xee));
  }
  CHECK(std::ranges::count(copy_of(memory, buffer), std::byte{0}) == 256);
  stores.move_to(memory);
  CHECK(stores.empty());
  const auto after = copy_of(memory, buffer);
  CHECK(std::to_integer<unsigned>(after[60]) == 1);
  CHECK(std::to_integer<unsigned>(after[67]) == 8);
  CHECK(std::ranges::count(after, std::byte{0}) == 248);
}

TEST_CASE("random stores to two buffers have the effect of stores to memory, the older buffer first") {
  std::mt19937 random(7);
  const auto below = [&random](std::uint64_t limit) { return random() % limit; };
  for (unsigned round = 0; round < 50; ++round) {
    constexpr std::uint64_t bytes = 40'000;
    DeviceMemory memory(memory_bytes);
    DeviceMemory expected(memory_bytes);
    const DeviceAddress buffer = memory.allocate("data", bytes);
    expected.allocate("data", bytes);
    StoreBuffer older;
    StoreBuffer newer;
    // The newer buffer may get stores before the older. Only the order of the buffers counts.
    std::vector<std::pair<DeviceAddress, std::vector<std::byte>>> late;
    for (unsigned i = 0; i < 1000; ++i) {
      const std::uint64_t size = 1 + below(100);
      const DeviceAddress address = buffer + below(round % 2 == 0 ? 300 : bytes - 100);
      auto data = bytes_of(random() * std::uint64_t{0x9e3779b97f4a7c15}, size);
      if (below(2) == 0) {
        newer.store(address, data);
        late.emplace_back(address, std::move(data));
      } else {
        older.store(address, data);
        std::memcpy(expected.host() + address, data.data(), size);
      }
    }
    for (const auto& [address, data] : late) std::memcpy(expected.host() + address, data.data(), data.size());
    newer.move_to(older);
    CHECK(newer.empty());
    std::vector<std::byte> seen = copy_of(memory, buffer);
    older.update(buffer, seen);
    CHECK(seen == copy_of(expected, buffer));
    older.move_to(memory);
    CHECK(copy_of(memory, buffer) == copy_of(expected, buffer));
  }
}

}  // namespace reconverge
