// SPDX-License-Identifier: Apache-2.0
#include "platforms/machines/multi_pass/multi_pass_machine.hpp"

#include <algorithm>
#include <cstring>
#include <set>

#include "models/core/error.hpp"
#include "models/core/simulated_time.hpp"
#include "platforms/machines/wait_for_end.hpp"

namespace reconverge {

using kernel::PartitionOptions;

kernel::PartitionOptions partition_options(const MultiPassParameters& parameters) {
  const PartitionParameters& partition = parameters.partition;
  PartitionOptions options;
  switch (partition.merging) {
    case PartitionMerging::none:
      options.merging = PartitionOptions::Merging::none;
      break;
    case PartitionMerging::chains:
      options.merging = PartitionOptions::Merging::chains;
      break;
    case PartitionMerging::cheap:
      options.merging = PartitionOptions::Merging::cheap;
      break;
    case PartitionMerging::ifs:
      options.merging = PartitionOptions::Merging::ifs;
      break;
  }
  switch (partition.bipartization) {
    case PartitionBipartization::none:
      options.bipartization = PartitionOptions::Bipartization::none;
      break;
    case PartitionBipartization::greedy:
      options.bipartization = PartitionOptions::Bipartization::greedy;
      break;
    case PartitionBipartization::exact:
      options.bipartization = PartitionOptions::Bipartization::exact;
      break;
  }
  options.copying_kernels = static_cast<std::uint32_t>(partition.copying_kernels);
  options.bypassing = partition.bypassing;
  options.outputs = static_cast<std::uint32_t>(partition.outputs);
  options.output_words = static_cast<std::uint32_t>(partition.output_words);
  options.atomics = parameters.atomics;
  options.constants = partition.constants;
  options.bytes_per_instruction =
      static_cast<double>(parameters.memory_bytes) / static_cast<double>(parameters.processors * parameters.lanes);
  return options;
}

bool arguments_distinct(const Launch& launch, const DeviceMemory& memory) {
  std::set<const Buffer*> seen;
  for (const kernel::KernelParameter& parameter : launch.program->parameters) {
    if (parameter.bytes != sizeof(DeviceAddress)) continue;
    DeviceAddress address = 0;
    std::memcpy(&address, launch.parameters.data() + parameter.offset, sizeof address);
    const Buffer* const buffer = memory.find(address);
    if (buffer != nullptr && !seen.insert(buffer).second) return false;
  }
  return true;
}

MultiPassMachine::MultiPassMachine(const MultiPassParameters& parameters)
    : parameters_(parameters), passes_("multi_pass", parameters) {}

const kernel::Partition& MultiPassMachine::partition_of(const kernel::Program& program, bool distinct_arguments) {
  const std::pair key(kernel::key_of(program), distinct_arguments);
  const auto known = partitions_.find(key);
  if (known != partitions_.end()) return known->second;
  PartitionOptions options = partition_options(parameters_);
  options.distinct_arguments = distinct_arguments;
  return partitions_.emplace(key, kernel::make_partition(program, options)).first->second;
}

bool MultiPassMachine::run(const Launch& launch, const KeepGoing& keep_going) {
  check_cooperative(launch, 0);
  if (stopped_) throw ExecutionError("the run was stopped: no further launch is possible");
  const kernel::Partition& partition = partition_of(*launch.program, arguments_distinct(launch, memory_));
  const ProgramImage& image =
      images_.try_emplace(kernel::key_of(*launch.program), *launch.program, memory_).first->second;
  passes_.begin(launch, image, partition, memory_);
  last_ = &partition;
  last_threads_ = launch.grid.count() * launch.threads_per_block();
  return wait_for_end(
      passes_, {launch, keep_going, most_cycles_}, [this] { return passes_.threads_ended(); }, stopped_);
}

void MultiPassMachine::skip(const Launch& launch) {
  images_.try_emplace(kernel::key_of(*launch.program), *launch.program, memory_);
}

bool MultiPassMachine::archive(StateArchive& state) {
  archive_time(state);
  state(memory_);
  return true;
}

InstructionCounts MultiPassMachine::instructions() const {
  return {passes_.statistics().instructions, passes_.statistics().lane_instructions};
}

std::uint64_t MultiPassMachine::written_by(const kernel::PassKernel& kernel) const {
  std::uint64_t bytes = parameters_.timestamps ? 8 : 4;
  for (const kernel::ArrayUse& use : kernel.arrays) {
    if (use.written || use.copied) bytes += last_->arrays[use.array].bytes();
  }
  return bytes;
}

std::vector<Traffic> MultiPassMachine::traffic() const {
  std::vector<Traffic> traffic;
  if (last_ == nullptr) return traffic;
  traffic.push_back({"", last_->kernels.front().name, last_threads_, 0});
  for (std::uint32_t from = 0; from < last_->kernels.size(); ++from) {
    const kernel::PassKernel& kernel = last_->kernels[from];
    for (const std::uint32_t to : kernel.successors) {
      const std::uint64_t threads = passes_.moved(from, to);
      traffic.push_back({kernel.name, last_->kernels[to].name, threads, threads * written_by(kernel)});
    }
  }
  return traffic;
}

std::vector<PartRuns> MultiPassMachine::parts() const {
  std::vector<PartRuns> parts;
  for (std::size_t i = 0; last_ != nullptr && i < last_->kernels.size(); ++i) {
    parts.push_back({last_->kernels[i].name, passes_.runs()[i].passes, passes_.runs()[i].threads});
  }
  return parts;
}

Statistics MultiPassMachine::totals() const {
  Statistics totals(multi_pass_block);
  totals.of<MultiPassStatistics>() = passes_.statistics();
  return totals;
}

}  // namespace reconverge
