// SPDX-License-Identifier: Apache-2.0
#pragma once
/// A tiled SIMD machine that has only guards, as a machine for launches: each kernel is cut into kernels without
/// control flow, which run pass after pass.

#include <map>
#include <utility>

#include "models/multi_pass/multi_pass.hpp"
#include "platforms/machine.hpp"

namespace reconverge {

class MultiPassMachine final : public Machine {
 public:
  /// Needs a SimulationContext. Throws ParameterError for parameters that cannot be combined.
  explicit MultiPassMachine(const MultiPassParameters& parameters);

  DeviceMemory& memory() override { return memory_; }
  bool run(const Launch& launch, const KeepGoing& keep_going = {}) override;
  void skip(const Launch& launch) override;
  bool archive(StateArchive& state) override;
  /// All threads of a launch are resident.
  std::uint64_t blocks_at_once(const Launch& launch) const override { return launch.grid.count(); }
  /// A warp instruction is one for all lanes of a processor.
  InstructionCounts instructions() const override;
  void stop_after(std::uint64_t cycles) override { most_cycles_ = cycles; }
  std::uint64_t threads_done() const override { return passes_.statistics().threads; }
  /// Records are threads; bytes are the bytes that they write for the next kernel, including program counters.
  std::vector<Traffic> traffic() const override;
  std::vector<PartRuns> parts() const override;
  Statistics totals() const override;

  /// The partition of a program that was run, or is refused as by `run`. `distinct_arguments`: pointers among the
  /// arguments point into different buffers.
  const kernel::Partition& partition_of(const kernel::Program& program, bool distinct_arguments);
  /// Called after each kernel.
  void observe(std::function<void(const KernelRun&)> observer) { passes_.observe(std::move(observer)); }

 private:
  /// Bytes written by a thread that continues after a kernel.
  std::uint64_t written_by(const kernel::PassKernel& kernel) const;

  MultiPassParameters parameters_;
  DeviceMemory memory_;
  MultiPass passes_;
  std::map<kernel::ProgramKey, ProgramImage> images_;
  std::map<std::pair<kernel::ProgramKey, bool>, kernel::Partition> partitions_;
  const kernel::Partition* last_ = nullptr;
  std::uint64_t last_threads_ = 0;
  Cycle most_cycles_ = 0;  // of a launch; 0: no limit
  bool stopped_ = false;
};

/// The options for partitions on such a machine; for arguments that point into different buffers.
kernel::PartitionOptions partition_options(const MultiPassParameters& parameters);

/// Whether no two 64-bit parameters point into the same buffer.
bool arguments_distinct(const Launch& launch, const DeviceMemory& memory);

}  // namespace reconverge
