// SPDX-License-Identifier: Apache-2.0
#pragma once
/// Messages for instruction fetches: from the scheduler to the fetch unit to the instruction cache, and back for
/// answers that are not immediate.

#include "models/core/cycle.hpp"
#include "models/execution/device_memory.hpp"
#include "models/kernel/program.hpp"
#include "models/protocols/control.hpp"

namespace reconverge {

/// The address of kernel code for caches: a separate range of the address space, above all data.
inline constexpr DeviceAddress code_address = DeviceAddress{1} << 48U;

/// The kind of a warp's instruction buffer.
enum class InstructionBuffer : std::uint8_t {
  ideal,   ///< the buffer always has all instructions
  groups,  ///< the buffer holds an aligned group until the warp leaves it
  drained  ///< the buffer holds a number of instructions from a pc of the warp; each leaves when it issues, and a jump
           ///< empties the buffer
};

/// From the scheduler to the fetch unit: a warp reaches an instruction that is not in its buffer.
struct FetchRequest {
  std::uint32_t slot = 0;  ///< warp slot
  kernel::Pc pc = 0;
  Cycle now = 0;
  Cycle earliest = 0;               ///< when the warp could issue the instruction
  bool begins = false;              ///< the warp is new: nothing has been prefetched
  kernel::Pc past = kernel::no_pc;  ///< the buffer became empty before this instruction, and then the warp jumped
  // Filled by the target:
  Cycle ready = 0;       ///< when the instruction is in the buffer; `never`: the SM reports it
  kernel::Pc first = 0;  ///< of the group in the buffer
};

/// From the fetch unit to the instruction cache: a line is needed at `cycle`.
struct LineFetch {
  DeviceAddress line = 0;
  Cycle now = 0;
  Cycle cycle = 0;
  // Filled by the target:
  Cycle filled = 0;  ///< when it is available; `never`: the SM reports it
};

/// From the instruction cache to the SM: a line whose time was unknown is available from `filled` on.
struct LineFill {
  DeviceAddress line = 0;
  Cycle filled = 0;
};

}  // namespace reconverge
