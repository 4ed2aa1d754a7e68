// SPDX-License-Identifier: Apache-2.0
#pragma once
/// Instruction fetches: scheduler -> fetch -> instruction cache, and back for answers that took longer.

#include "models/core/cycle.hpp"
#include "models/execution/device_memory.hpp"
#include "models/kernel/program.hpp"
#include "models/protocols/control.hpp"

namespace reconverge {

/// The address of kernel code as caches see it: a separate range of the address space, above all data.
inline constexpr DeviceAddress code_address = DeviceAddress{1} << 48U;

/// How the buffer of a warp holds instructions.
enum class InstructionBuffer : std::uint8_t {
  ideal,   ///< all instructions are always there
  groups,  ///< a group, aligned, stays until the warp leaves it
  drained  ///< a number of instructions from where the warp was; each leaves when it issues, and a jump empties the
           ///< buffer
};

/// Scheduler -> fetch: a warp reaches an instruction that is not in its buffer.
struct FetchRequest {
  std::uint32_t slot = 0;  ///< warp slot
  kernel::Pc pc = 0;
  Cycle now = 0;
  Cycle earliest = 0;               ///< when it could issue there
  bool begins = false;              ///< the warp is new: nothing has been prefetched
  kernel::Pc past = kernel::no_pc;  ///< the buffer ran empty before this instruction, and then the warp jumped
  // Filled by the target:
  Cycle ready = 0;       ///< when the instruction is in the buffer; `never`: the SM reports it
  kernel::Pc first = 0;  ///< of the group in the buffer
};

/// Fetch -> instruction cache: a line is needed at `cycle`.
struct LineFetch {
  DeviceAddress line = 0;
  Cycle now = 0;
  Cycle cycle = 0;
  // Filled by the target:
  Cycle filled = 0;  ///< when it is available; `never`: the SM reports it
};

/// Instruction cache -> SM: a line whose time was not known is available from `filled` on.
struct LineFill {
  DeviceAddress line = 0;
  Cycle filled = 0;
};

}  // namespace reconverge
