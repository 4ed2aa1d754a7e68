// SPDX-License-Identifier: Apache-2.0
#pragma once
/// Writes the micro-kernels: the author's text, with spawns for the edges to split points and the loads at the
/// beginning of each micro-kernel.

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "models/kernel/transform/local_state.hpp"
#include "models/kernel/transform/split_points.hpp"
#include "models/kernel/transform/state_layout.hpp"
#include "models/kernel/transform/transfers.hpp"

namespace reconverge::kernel {

/// The complete plan, which is made before text is written.
struct MicrokernelPlan {
  std::vector<SplitPoint> splits;
  std::vector<std::string> labels;  ///< of micro-kernels, by split point
  std::string stem;                 ///< does not occur in any name of the module; generated names begin with it
  Transfers transfers;
  StateLayout layout;
  LocalState local;
};

/// A stem that does not occur in the source.
std::string free_stem(std::string_view source);

/// `loop_37`: the kind of split point with its line, after the stem; numbered if two are equal.
std::vector<std::string> microkernel_labels(std::span<const SplitPoint> splits, std::string_view stem);

/// The name of a value in the new text.
std::string name_of(const MicrokernelPlan& plan, const WrittenValue& value);

/// The module with the rewritten kernel; `comment` is placed at its top.
std::string written_microkernels(const WrittenKernel& kernel, const MicrokernelPlan& plan, std::string_view comment);

}  // namespace reconverge::kernel
