// SPDX-License-Identifier: Apache-2.0
#pragma once
/// Addresses of variables.

#include <cstdint>

namespace reconverge::kernel {

/// The least multiple of `alignment` that is not below `value`.
constexpr std::uint64_t align_up(std::uint64_t value, std::uint64_t alignment) {
  return (value + alignment - 1) / alignment * alignment;
}

}  // namespace reconverge::kernel
