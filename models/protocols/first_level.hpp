#pragma once
/// The first-level caches of an SM, and what becomes of a request there.

#include <cstddef>
#include <cstdint>

namespace reconverge {

/// In the order in which whoever has one of each keeps them.
enum class FirstLevel : std::uint8_t { data, texture, constant };
inline constexpr std::size_t first_levels = 3;

/// As the caches count requests.
enum class CacheOutcome : std::uint8_t {
  hit,
  miss,
  merge,  ///< waits for what another request has asked for
  write   ///< stores and atomics
};

}  // namespace reconverge
