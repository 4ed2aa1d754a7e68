#pragma once
/// The waveform file of a run: signals of every block that is in RTL or in lock step.

#include <memory>
#include <string>
#include <vector>

#include "models/twin/signals.hpp"

namespace reconverge::twin {

class Waves {
 public:
  explicit Waves(CycleWindow window) : window_(window) {}

  /// Records the blocks of the elaborated simulation. This object must outlive them. Returns how many there are.
  std::size_t connect();

  /// The bytes of the file, FST. Call it once, when the blocks are destroyed and all their signals are recorded. Blocks
  /// are scopes named as in the simulation, such as gpu.sm_0.dynamic_ray_shuffling; below each are `rtl` with all its
  /// signals and, for a lock step, `model` with the ports as the model has them, x where it sets no value. A clock
  /// cycle of a block is 10 units of 100 ps: 1 ns. Throws ExecutionError if nothing was recorded, std::system_error if
  /// the disk is full.
  std::string fst();

 private:
  CycleWindow window_;
  std::vector<std::unique_ptr<Signals>> blocks_;
};

/// Whether the build can write such files: it had Verilator, which has the writer, and zlib.
bool can_write_waves();

/// All streams as one FST, each below its scope.
std::string fst_of(const std::vector<SignalStream*>& streams);

}  // namespace reconverge::twin
