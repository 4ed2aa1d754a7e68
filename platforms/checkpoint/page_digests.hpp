// SPDX-License-Identifier: Apache-2.0
#pragma once
/// Finds the pages of device memory that a launch has changed. The host has no cheap way to track them, so each page is
/// hashed before and after the launch.

#include <cstdint>
#include <span>
#include <vector>

namespace reconverge {

class PageDigests {
 public:
  static constexpr std::size_t page_bytes = 4096;

  explicit PageDigests(std::span<const std::byte> memory);

  /// Pages of `memory`, which may have grown since, with other contents, in rising order. Two contents of a page count
  /// as equal by chance once in 2^64 times.
  std::vector<std::uint64_t> changed(std::span<const std::byte> memory) const;

 private:
  std::vector<std::size_t> digests_;
};

/// The bytes of page `number`; the last page may be shorter than the others.
std::span<std::byte> page_of(std::span<std::byte> memory, std::uint64_t number);

}  // namespace reconverge
