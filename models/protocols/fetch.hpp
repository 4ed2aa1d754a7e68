#pragma once
/// Instructions on their way: scheduler -> fetch -> instruction cache, and back when an answer took longer.

#include "models/core/cycle.hpp"
#include "models/execution/device_memory.hpp"
#include "models/kernel/program.hpp"
#include "models/protocols/control.hpp"

namespace reconverge {

/// Where the caches see the code of kernels: a place of its own in the address space, above all data.
inline constexpr DeviceAddress code_address = DeviceAddress{1} << 48U;

/// Scheduler -> fetch: a warp comes to an instruction outside the group that it was in.
struct FetchRequest {
  std::uint32_t slot = 0;   ///< warp slot
  std::uint32_t group = 0;  ///< number of the group: of as many instructions, aligned, as one fetch brings
  Cycle now = 0;
  Cycle earliest = 0;   ///< when it could issue there
  bool begins = false;  ///< the warp is new: nothing has been fetched ahead
  // Filled by the target:
  Cycle ready = 0;  ///< when the instruction is in the buffer; `never`: the SM says when
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
