// SPDX-License-Identifier: Apache-2.0
#pragma once
/// The waveform file of a run, with the signals of every block that runs as RTL or in lock step.

#include <memory>
#include <string>
#include <vector>

#include "models/cosim/twin/signals.hpp"

namespace reconverge::twin {

class Waves {
 public:
  explicit Waves(CycleWindow window) : window_(window) {}

  /// Starts to record the blocks of the elaborated simulation, and returns their number. This object must outlive them.
  std::size_t connect();

  /// Returns the bytes of the FST file. May be called once, after the blocks have been destroyed, which completes their
  /// signals. Each block is a scope with its name in the simulation, such as gpu.sm_0.dynamic_ray_shuffling. It
  /// contains
  /// the scope `rtl` with all signals and, in lock step, the scope `model` with the model's values at the ports;
  /// undefined values are x. A clock cycle of a block takes 10 units of 100 ps: 1 ns. Throws ExecutionError if no
  /// signal
  /// was recorded, and std::system_error if the disk is full.
  std::string fst();

 private:
  CycleWindow window_;
  std::vector<std::unique_ptr<Signals>> blocks_;
};

/// Whether this build can write waveform files: it needs Verilator, which ships the writer, and zlib.
bool can_write_waves();

/// Combines all streams into one FST, each below its scope.
std::string fst_of(const std::vector<SignalStream*>& streams);

}  // namespace reconverge::twin
