// SPDX-License-Identifier: Apache-2.0
#pragma once
/// The GPU's interface for SMs: thread blocks, and turns.

#include <cstdint>
#include <optional>
#include <systemc>

namespace reconverge {

class BlockSource : public virtual sc_core::sc_interface {
 public:
  /// The linear index of the next thread block of the launch, for an SM that can take one in cycle `now`, or nothing.
  virtual std::optional<std::uint64_t> next_block(std::uint32_t sm, std::uint64_t now) = 0;
  /// Whether all blocks have been taken, from the view of the SM: it gets this information immediately if it took the
  /// last block itself, and at the end of the quantum if another SM did.
  virtual bool exhausted(std::uint32_t sm) const = 0;
  /// A block of the SM ended in cycle `now`.
  virtual void block_ended(std::uint32_t sm, std::uint64_t now) = 0;
  /// Threads of the SM that belong to no block ended in cycle `now`.
  virtual void threads_ended(std::uint32_t sm, std::uint64_t now) = 0;
  /// An SM has work in `cycle`.
  virtual void wake_at(std::uint64_t cycle) = 0;
};

}  // namespace reconverge
