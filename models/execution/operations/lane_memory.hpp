// SPDX-License-Identifier: Apache-2.0
#pragma once
/// Memory as one lane sees it through generic addresses, byte by byte: for what the host does for a kernel. Addresses
/// have as many bits as source[0] of the instruction.

#include <optional>
#include <string>

#include "models/execution/operations/lanewise.hpp"

namespace reconverge::operations {

class LaneMemory {
 public:
  /// All three must outlive it.
  LaneMemory(const Instruction& instruction, const ExecutionContext& context, unsigned lane)
      : instruction_(instruction), context_(context), lane_(lane) {}

  /// The value of `bytes` bytes at `address`. Throws ExecutionError when they lie outside every memory.
  std::uint64_t value(DeviceAddress address, unsigned bytes) const;
  /// The text at `address` up to its zero byte, or its first `limit` bytes. Throws ExecutionError likewise.
  std::string text(DeviceAddress address, std::size_t limit) const;

 private:
  std::byte byte(DeviceAddress address) const;

  const Instruction& instruction_;
  const ExecutionContext& context_;
  unsigned lane_;
};

}  // namespace reconverge::operations
