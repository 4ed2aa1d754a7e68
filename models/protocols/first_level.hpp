// SPDX-License-Identifier: Apache-2.0
#pragma once
/// The first-level caches of an SM, and the outcomes of their requests.

#include <cstddef>
#include <cstdint>

namespace reconverge {

/// In the order of arrays with one element for each cache.
enum class FirstLevel : std::uint8_t { data, texture, constant };
inline constexpr std::size_t first_levels = 3;

/// The outcomes that the caches count.
enum class CacheOutcome : std::uint8_t {
  hit,
  miss,
  merge,  ///< waits for data that another request has fetched
  write   ///< stores and atomics
};

}  // namespace reconverge
