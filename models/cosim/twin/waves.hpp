// SPDX-License-Identifier: Apache-2.0
#pragma once
/// The waveform file of a run: signals of every block that is in RTL or in lock step.

#include <memory>
#include <string>
#include <vector>

#include "models/cosim/twin/signals.hpp"

namespace reconverge::twin {

class Waves {
 public:
  explicit Waves(CycleWindow window) : window_(window) {}

  /// Shows the blocks of the simulation that has been elaborated. This object must outlive them. Returns how many there
  /// are.
  std::size_t connect();

  /// The bytes of the file, FST; once, when the blocks are gone: then they have told all. Blocks are scopes by their
  /// names in the simulation, as gpu.sm_0.dynamic_ray_shuffling; below each are `rtl` with all its signals and, of a
  /// lock step, `model` with the ports as the model has them, x where it says nothing. A clock cycle of a block is 10
  /// units of 100 ps: 1 ns. Throws ExecutionError when nothing was shown, std::system_error for a disk that is full.
  std::string fst();

 private:
  CycleWindow window_;
  std::vector<std::unique_ptr<Signals>> blocks_;
};

/// Whether the build can write such files: Verilator, which has the writer, and zlib were there.
bool can_write_waves();

/// All streams as one FST, each below its scope.
std::string fst_of(const std::vector<SignalStream*>& streams);

}  // namespace reconverge::twin
