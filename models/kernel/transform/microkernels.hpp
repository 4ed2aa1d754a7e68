// SPDX-License-Identifier: Apache-2.0
#pragma once
/// The pass that splits a kernel into micro-kernels: PTX in, PTX out.
///
/// Dynamic micro-kernels (Steffen and Zambreno, MICRO 2010) replace divergent branches by the creation of threads: a
/// thread that reaches a split point stores its live values to its state in spawn memory, spawns a thread that
/// continues there, and exits. Hardware forms full warps from threads that begin at the same pc. The paper's authors
/// wrote their kernel in this form by hand, and left such a pass to others.

#include <cstdint>
#include <string>
#include <string_view>

#include "models/kernel/transform/local_state.hpp"
#include "models/kernel/transform/microkernel_report.hpp"
#include "models/kernel/transform/split_points.hpp"

namespace reconverge::kernel {

struct MicrokernelOptions {
  SplitAt split = SplitAt::loops;
  std::uint32_t depth = 0;  ///< loops with a greater nesting depth are not split; 0: no limit
  LocalArrays local = LocalArrays::refuse;
  std::uint32_t from_depth = 1;  ///< loops with a smaller nesting depth are not split; 1: no limit
  /// If all lanes that began together continue at the same micro-kernel, the warp branches there and keeps its
  /// registers; it stores and spawns only if they diverge ("by first checking if a branch would cause divergence",
  /// section VI-A). The paper's own kernels always spawn.
  GoesOn adaptive = GoesOn::rounds;
  /// Micro-kernels with fewer instructions and without memory accesses are merged into the preceding ones.
  std::uint32_t least = 0;
};

struct Microkernels {
  std::string text;  ///< the whole module, with a report at its top
  MicrokernelReport report;
};

/// `text`: a PTX module; `file`: its name in messages; `entry`: the kernel, or empty for the only one. The result
/// computes the same as the kernel, for programs without races. Throws InputError for PTX that the front end rejects,
/// and, with the line and the remedy, for kernels that cannot be split or have no split point.
Microkernels make_microkernels(std::string_view text, std::string_view file, std::string_view entry,
                               const MicrokernelOptions& options);

}  // namespace reconverge::kernel
