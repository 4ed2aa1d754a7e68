#pragma once
/// The pass that splits a kernel into micro-kernels: PTX in, PTX out.
///
/// Dynamic micro-kernels (Steffen and Zambreno, MICRO 2010) replace divergent branches by the creation of threads: a
/// thread that reaches a split point stores its live values to its state in spawn memory, spawns a thread that
/// continues there, and exits. Hardware gathers threads that begin at one place into full warps. The paper's authors
/// wrote their kernel that way by hand and left this pass to others.

#include <cstdint>
#include <string>
#include <string_view>

#include "models/kernel/transform/local_state.hpp"
#include "models/kernel/transform/microkernel_report.hpp"
#include "models/kernel/transform/split_points.hpp"

namespace reconverge::kernel {

struct MicrokernelOptions {
  SplitAt split = SplitAt::loops;
  std::uint32_t depth = 0;  ///< loops nested deeper stay as they are; 0: none does
  LocalArrays local = LocalArrays::refuse;
  std::uint32_t from_depth = 1;  ///< loops nested less deep stay as they are; 1: none does
  /// Where all lanes that began together go on to the same micro-kernel, the warp goes there by a branch, with all that
  /// it has in registers; it stores and spawns only where they part ("by first checking if a branch would cause
  /// divergence", section VI-A). The paper's own kernels go on nowhere.
  GoesOn adaptive = GoesOn::rounds;
  /// Micro-kernels of fewer instructions, none of which accesses memory, become a part of those before them.
  std::uint32_t least = 0;
};

struct Microkernels {
  std::string text;  ///< the whole module, with a report at its top
  MicrokernelReport report;
};

/// `text`: of a PTX module; `file` stands for it in messages; `entry`: the kernel, or empty for the only one. The
/// result does what the kernel does, for programs without races. Throws InputError for PTX that the front end refuses,
/// and, with the line and what to do, for kernels that cannot be split or have nothing to split at.
Microkernels make_microkernels(std::string_view text, std::string_view file, std::string_view entry,
                               const MicrokernelOptions& options);

}  // namespace reconverge::kernel
