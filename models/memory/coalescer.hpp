#pragma once
/// From the addresses of a warp to the lines that they touch.

#include <array>
#include <span>

#include "models/sm/lanes/operation.hpp"

namespace reconverge {

/// Addresses of distinct lines, in the order of the lowest lane that needs each.
class LineList {
 public:
  static constexpr std::size_t capacity = 4 * warp_size;  // local accesses of 16 bytes take four rows of words

  void clear() { size_ = 0; }
  void push(DeviceAddress line) { lines_[size_++] = line; }
  std::span<const DeviceAddress> lines() const { return {lines_.data(), size_}; }

 private:
  std::array<DeviceAddress, capacity> lines_;
  std::size_t size_ = 0;
};

/// Lines of `line_bytes` (a power of two) that `access` touches. No lane straddles a line: accesses are aligned and
/// at most 16 bytes long.
void coalesce(const MemoryAccess& access, unsigned line_bytes, LineList& lines);

/// Cycles that a shared-memory access takes: the largest number of distinct words that one bank has to serve.
unsigned shared_memory_cycles(const MemoryAccess& access, unsigned banks);

}  // namespace reconverge
