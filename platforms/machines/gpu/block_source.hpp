// SPDX-License-Identifier: Apache-2.0
#pragma once
/// What SMs ask of the GPU: thread blocks, and turns.

#include <cstdint>
#include <optional>
#include <systemc>

namespace reconverge {

class BlockSource : public virtual sc_core::sc_interface {
 public:
  /// The linear index of the next thread block of the launch for an SM that has room for one in cycle `now`, or
  /// nothing.
  virtual std::optional<std::uint64_t> next_block(std::uint32_t sm, std::uint64_t now) = 0;
  /// All blocks have been handed out, as far as the SM knows: it learns at once that it took the last one, and at the
  /// end of the quantum that another did.
  virtual bool exhausted(std::uint32_t sm) const = 0;
  /// A block of the SM ended in cycle `now`.
  virtual void block_ended(std::uint32_t sm, std::uint64_t now) = 0;
  /// Threads of the SM that belong to no block ended in cycle `now`.
  virtual void threads_ended(std::uint32_t sm, std::uint64_t now) = 0;
  /// An SM has work in `cycle`.
  virtual void wake_at(std::uint64_t cycle) = 0;
};

}  // namespace reconverge
