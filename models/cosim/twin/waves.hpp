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

  /// Records the blocks of the elaborated simulation. This object must outlive them. Returns the number of blocks.
  std::size_t connect();

  /// The bytes of the FST file. Call it once, after the blocks are destroyed: only then have they written all signals.
  /// Each block is a scope with its name in the simulation, such as gpu.sm_0.dynamic_ray_shuffling. The scope contains
  /// `rtl` with all signals and, in lock step, `model` with the model's values of the ports, x if there is none. A
  /// clock cycle of a block is 10 units of 100 ps: 1 ns. Throws ExecutionError if nothing was recorded,
  /// std::system_error if the disk is full.
  std::string fst();

 private:
  CycleWindow window_;
  std::vector<std::unique_ptr<Signals>> blocks_;
};

/// Whether the build can write such files, which needs zlib, and Verilator, which contains the writer.
bool can_write_waves();

/// All streams as one FST, each below its scope.
std::string fst_of(const std::vector<SignalStream*>& streams);

}  // namespace reconverge::twin
