#pragma once
/// Instructions on their way: scheduler -> fetch -> instruction cache, and back when an answer took longer.

#include "models/core/cycle.hpp"
#include "models/execution/device_memory.hpp"
#include "models/kernel/program.hpp"
#include "models/protocols/control.hpp"

namespace reconverge {

/// Where the caches see the code of kernels: a place of its own in the address space, above all data.
inline constexpr DeviceAddress code_address = DeviceAddress{1} << 48U;

/// How the buffer of a warp holds instructions.
enum class InstructionBuffer : std::uint8_t {
  ideal,   ///< all instructions are always there
  groups,  ///< a group, aligned, stays until the warp leaves it
  drained  ///< so many from where the warp stood; each leaves when it issues, and a jump empties the buffer
};

/// Scheduler -> fetch: a warp comes to an instruction that is not in its buffer.
struct FetchRequest {
  std::uint32_t slot = 0;  ///< warp slot
  kernel::Pc pc = 0;
  Cycle now = 0;
  Cycle earliest = 0;               ///< when it could issue there
  bool begins = false;              ///< the warp is new: nothing has been fetched ahead
  kernel::Pc past = kernel::no_pc;  ///< the buffer ran empty before this instruction, and then the warp jumped
  // Filled by the target:
  Cycle ready = 0;       ///< when the instruction is in the buffer; `never`: the SM says when
  kernel::Pc first = 0;  ///< of the group in the buffer
};

/// Fetch -> instruction cache: a line is needed at `cycle`.
struct LineFetch {
  DeviceAddress line = 0;
  Cycle now = 0;
  Cycle cycle = 0;
  // Filled by the target:
  Cycle filled = 0;  ///< when it is there; `never`: the SM says when
};

/// Instruction cache -> SM: a line whose time was not known is there from `filled` on.
struct LineFill {
  DeviceAddress line = 0;
  Cycle filled = 0;
};

}  // namespace reconverge
