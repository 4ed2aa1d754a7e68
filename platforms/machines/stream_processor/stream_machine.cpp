// SPDX-License-Identifier: Apache-2.0
#include "platforms/machines/stream_processor/stream_machine.hpp"

#include "models/core/error.hpp"
#include "models/core/simulated_time.hpp"
#include "platforms/machines/wait_for_end.hpp"

namespace reconverge {

using kernel::StreamOptions;

kernel::StreamOptions stream_options(const StreamProcessorParameters& parameters) {
  const StreamingGraphParameters& graph = parameters.graph;
  StreamOptions options;
  options.fields =
      graph.fields == StreamingGraphFields::live ? StreamOptions::Fields::live : StreamOptions::Fields::shared;
  switch (graph.merging) {
    case StreamingGraphMerging::none:
      options.merging = StreamOptions::Merging::none;
      break;
    case StreamingGraphMerging::chains:
      options.merging = StreamOptions::Merging::chains;
      break;
    case StreamingGraphMerging::traffic:
      options.merging = StreamOptions::Merging::traffic;
      break;
  }
  options.merge_nodes = graph.merge_nodes;
  options.accumulation_nodes = graph.accumulation_nodes;
  options.in_place = graph.in_place;
  options.atomics = parameters.atomics;
  options.constants = graph.constants;
  const std::uint64_t bytes = parameters.registers.words == 0 ? parameters.memory_bytes : parameters.register_bytes;
  options.bytes_per_instruction = static_cast<double>(bytes) / static_cast<double>(parameters.lanes);
  return options;
}

StreamMachine::StreamMachine(const StreamProcessorParameters& parameters)
    : parameters_(parameters), processor_("stream_processor", parameters) {}

const kernel::StreamingGraph& StreamMachine::graph_of(const kernel::Program& program) {
  const auto known = graphs_.find(kernel::key_of(program));
  if (known != graphs_.end()) return known->second;
  return graphs_.emplace(kernel::key_of(program), kernel::make_streaming_graph(program, stream_options(parameters_)))
      .first->second;
}

bool StreamMachine::run(const Launch& launch, const KeepGoing& keep_going) {
  check_cooperative(launch, 0);
  if (stopped_) throw ExecutionError("the run was stopped: no further launch is possible");
  const kernel::StreamingGraph& graph = graph_of(*launch.program);
  const ProgramImage& image =
      images_.try_emplace(kernel::key_of(*launch.program), *launch.program, memory_).first->second;
  processor_.begin(launch, image, graph, memory_);
  last_ = &graph;
  return wait_for_end(
      processor_, {launch, keep_going, most_cycles_}, [this] { return processor_.threads_created(); }, stopped_);
}

void StreamMachine::skip(const Launch& launch) {
  images_.try_emplace(kernel::key_of(*launch.program), *launch.program, memory_);
}

bool StreamMachine::archive(StateArchive& state) {
  archive_time(state);
  state(memory_);
  return true;
}

InstructionCounts StreamMachine::instructions() const {
  return {processor_.statistics().instructions, processor_.statistics().lane_instructions};
}

std::vector<Traffic> StreamMachine::traffic() const {
  std::vector<Traffic> traffic;
  if (last_ == nullptr) return traffic;
  for (std::size_t i = 0; i < last_->arcs.size(); ++i) {
    const kernel::StreamArc& arc = last_->arcs[i];
    const kernel::StreamNode& to = last_->nodes[arc.to];
    const std::uint64_t records = processor_.arc_records()[i];
    const std::string from = arc.from == kernel::StreamArc::source ? "" : last_->nodes[arc.from].name;
    traffic.push_back({from, to.name, records, records * to.fields.bytes()});
  }
  return traffic;
}

std::vector<PartRuns> StreamMachine::parts() const {
  std::vector<PartRuns> parts;
  for (std::size_t i = 0; last_ != nullptr && i < last_->nodes.size(); ++i) {
    parts.push_back({last_->nodes[i].name, processor_.runs()[i].passes, processor_.runs()[i].records});
  }
  return parts;
}

Statistics StreamMachine::totals() const {
  Statistics totals(stream_processor_block);
  totals.of<StreamProcessorStatistics>() = processor_.statistics();
  totals.of<StreamRegistersStatistics>() = processor_.register_statistics();
  totals.of<BenesNetworkStatistics>() = processor_.network_statistics();
  return totals;
}

}  // namespace reconverge
