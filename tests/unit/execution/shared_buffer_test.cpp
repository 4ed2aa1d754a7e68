// SPDX-License-Identifier: Apache-2.0
// Buffers that the host accesses by their device address. Not built with sanitizers, which use these addresses.

#include <catch2/catch.hpp>
#include <cstring>
#include <string>
#include <vector>

#include "models/execution/device_memory.hpp"

namespace reconverge {
namespace {

constexpr std::uint64_t small = std::uint64_t{1} << 20U;

TEST_CASE("the host accesses a shared buffer by its device address", "[device_memory]") {
  DeviceMemory memory(small);
  const DeviceAddress before = memory.upload("before", std::span<const std::byte>(std::vector(300, std::byte{5})));
  const DeviceAddress shared = memory.allocate_shared("shared", 5000);
  CHECK(shared % 4096 == 0);
  auto* const host = reinterpret_cast<char*>(shared);  // NOLINT(performance-no-int-to-ptr)
  std::strcpy(host + 4990, "host");
  CHECK(std::memcmp(memory.view(shared).data() + 4990, "host", 5) == 0);
  std::memcpy(memory.view(shared).data(), "device", 7);
  CHECK(std::string(host) == "device");
  CHECK(memory.view(before)[299] == std::byte{5});  // the buffer moved to other pages
  REQUIRE(memory.release(shared));
  CHECK(memory.allocate_shared("again", 4096) == shared);
  CHECK(*host == 0);
}

}  // namespace
}  // namespace reconverge
