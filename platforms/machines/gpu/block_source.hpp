// SPDX-License-Identifier: Apache-2.0
#pragma once
/// Where SMs get thread blocks from.

#include <cstdint>
#include <exception>
#include <optional>
#include <systemc>

namespace reconverge {

class BlockSource : public virtual sc_core::sc_interface {
 public:
  /// The linear index of the next thread block of the launch for an SM that has room for one in cycle `now`, or
  /// nothing.
  virtual std::optional<std::uint64_t> next_block(std::uint32_t sm, std::uint64_t now) = 0;
  /// All blocks have been handed out.
  virtual bool exhausted() const = 0;
  /// A block ended in cycle `now`.
  virtual void block_ended(std::uint64_t now) = 0;
  /// Threads that belong to no block ended in cycle `now`.
  virtual void threads_ended(std::uint64_t now) = 0;
  /// The run cannot go on: the error ends the simulation and is rethrown to the caller of the launch.
  virtual void fail(std::exception_ptr error) = 0;
};

}  // namespace reconverge
