#pragma once
/// A tiled SIMD machine with guards alone as a machine for launches: each kernel is cut into kernels without control
/// flow, which then run pass after pass.

#include <map>
#include <utility>

#include "models/multi_pass/multi_pass.hpp"
#include "platforms/machine.hpp"

namespace reconverge {

class MultiPassMachine final : public Machine {
 public:
  /// Needs a SimulationContext. Throws ParameterError for parameters that do not go together.
  explicit MultiPassMachine(const MultiPassParameters& parameters);

  DeviceMemory& memory() override { return memory_; }
  bool run(const Launch& launch, const KeepGoing& keep_going = {}) override;
  /// All threads of a launch are under way.
  std::uint64_t blocks_at_once(const Launch& launch) const override { return launch.grid.count(); }
  /// A warp instruction is one of the lanes of a processor.
  InstructionCounts instructions() const override;
  void stop_after(std::uint64_t cycles) override { most_cycles_ = cycles; }
  std::uint64_t threads_done() const override { return passes_.statistics().threads; }
  /// Records are threads; bytes what they write for the kernel behind, program counters among that.
  std::vector<Traffic> traffic() const override;
  std::vector<PartRuns> parts() const override;
  Statistics totals() const override;

  /// The partition of a program that was run, or is refused, as `run` refuses it. `distinct_arguments`: pointers among
  /// the arguments lead to different buffers.
  const kernel::Partition& partition_of(const kernel::Program& program, bool distinct_arguments);
  /// Called behind each kernel.
  void observe(std::function<void(const KernelRun&)> observer) { passes_.observe(std::move(observer)); }

 private:
  /// Bytes that a thread writes which goes on from a kernel.
  std::uint64_t written_by(const kernel::PassKernel& kernel) const;

  MultiPassParameters parameters_;
  DeviceMemory memory_;
  MultiPass passes_;
  std::map<const kernel::Program*, ProgramImage> images_;
  std::map<std::pair<const kernel::Program*, bool>, kernel::Partition> partitions_;
  const kernel::Partition* last_ = nullptr;
  std::uint64_t last_threads_ = 0;
  Cycle most_cycles_ = 0;  // of a launch; 0: any number
  bool stopped_ = false;
};

/// How partitions are made for such a machine; of arguments that lead to different buffers.
kernel::PartitionOptions partition_options(const MultiPassParameters& parameters);

/// Whether no two parameters of 64 bits lead to one buffer.
bool arguments_distinct(const Launch& launch, const DeviceMemory& memory);

}  // namespace reconverge
