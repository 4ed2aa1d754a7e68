// SPDX-License-Identifier: Apache-2.0
#pragma once
/// A stream processor as a machine for launches: each kernel becomes a streaming graph, which runs pass after pass.

#include <map>
#include <memory>

#include "models/stream/stream_processor.hpp"
#include "platforms/machine.hpp"

namespace reconverge {

class StreamMachine final : public Machine {
 public:
  /// Needs a SimulationContext. Throws ParameterError for parameters that cannot be combined.
  explicit StreamMachine(const StreamProcessorParameters& parameters);

  DeviceMemory& memory() override { return memory_; }
  bool run(const Launch& launch, const KeepGoing& keep_going = {}) override;
  void skip(const Launch& launch) override;
  bool archive(StateArchive& state) override;
  /// All threads of a launch are resident or waiting to be.
  std::uint64_t blocks_at_once(const Launch& launch) const override { return launch.grid.count(); }
  /// A warp instruction is one for all lanes together.
  InstructionCounts instructions() const override;
  void stop_after(std::uint64_t cycles) override { most_cycles_ = cycles; }
  std::uint64_t threads_done() const override { return processor_.statistics().threads; }
  std::vector<Traffic> traffic() const override;
  std::vector<PartRuns> parts() const override;
  Statistics totals() const override;

  /// The graph of a program that was run, or is refused as by `run`.
  const kernel::StreamingGraph& graph_of(const kernel::Program& program);
  /// Called after each pass.
  void observe(std::function<void(const PassRecord&)> observer) { processor_.observe(std::move(observer)); }

 private:
  StreamProcessorParameters parameters_;
  DeviceMemory memory_;
  StreamProcessor processor_;
  std::map<kernel::ProgramKey, ProgramImage> images_;
  std::map<kernel::ProgramKey, kernel::StreamingGraph> graphs_;
  const kernel::StreamingGraph* last_ = nullptr;
  Cycle most_cycles_ = 0;  // of a launch; 0: no limit
  bool stopped_ = false;
};

/// The options for graphs on such a machine.
kernel::StreamOptions stream_options(const StreamProcessorParameters& parameters);

}  // namespace reconverge
