// SPDX-License-Identifier: Apache-2.0
#pragma once
/// Events outside the SMs, for observers. No SystemC.

#include <cstdint>

namespace reconverge {

class MemoryObserver {
 public:
  virtual ~MemoryObserver() = default;

  /// The second-level cache accepts a read or an atomic; `hit`: it has all of its sectors. `time`: in SystemC's units.
  virtual void l2_read(std::uint64_t time, bool hit) = 0;
  /// The second-level cache requests bytes from memory, or writes bytes to memory.
  virtual void memory_bytes(std::uint64_t time, std::uint64_t bytes) = 0;

 protected:
  MemoryObserver() = default;
  MemoryObserver(const MemoryObserver&) = default;
  MemoryObserver& operator=(const MemoryObserver&) = default;
};

}  // namespace reconverge
