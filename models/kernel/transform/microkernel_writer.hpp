#pragma once
/// Writes the micro-kernels: the author's text with spawns for the edges into split points, and the loads that each
/// micro-kernel begins with.

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "models/kernel/transform/local_state.hpp"
#include "models/kernel/transform/split_points.hpp"
#include "models/kernel/transform/state_layout.hpp"
#include "models/kernel/transform/transfers.hpp"

namespace reconverge::kernel {

/// All that is decided before a line is written.
struct MicrokernelPlan {
  std::vector<SplitPoint> splits;
  std::vector<std::string> labels;  ///< of micro-kernels, by split point
  std::string stem;                 ///< that no name of the module has; names that are made begin with it
  Transfers transfers;
  StateLayout layout;
  LocalState local;
};

/// A stem that does not occur in the source.
std::string free_stem(std::string_view source);

/// `loop_37`: the kind of split point with its line, after the stem; numbered where two are alike.
std::vector<std::string> microkernel_labels(std::span<const SplitPoint> splits, std::string_view stem);

/// What a value is called in the new text.
std::string name_of(const MicrokernelPlan& plan, const WrittenValue& value);

/// The module with the rewritten kernel; `comment` is placed at its top.
std::string written_microkernels(const WrittenKernel& kernel, const MicrokernelPlan& plan, std::string_view comment);

}  // namespace reconverge::kernel
