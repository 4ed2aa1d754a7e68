// SPDX-License-Identifier: Apache-2.0
#include "models/stream/stream_processor.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "models/core/error.hpp"

namespace reconverge {

using kernel::NodeKind;
using kernel::StreamArc;
using kernel::StreamNode;

namespace {

const StreamProcessorParameters& checked(const StreamProcessorParameters& parameters) {
  if (!std::has_single_bit(parameters.lanes)) {
    throw ParameterError("stream_processor.lanes", fmt::format("{} lanes", parameters.lanes),
                         fmt::format("a Benes network has a power of two: {} or {}", std::bit_floor(parameters.lanes),
                                     std::bit_ceil(parameters.lanes)));
  }
  if (parameters.network.ports != parameters.lanes) {
    throw ParameterError("stream_processor.network.ports",
                         fmt::format("{} ports for {} lanes", parameters.network.ports, parameters.lanes),
                         "give it as many as stream_processor.lanes");
  }
  return parameters;
}

constexpr Cycle over(std::uint64_t bytes, std::uint64_t a_cycle) { return (bytes + a_cycle - 1) / a_cycle; }

}  // namespace

StreamProcessor::StreamProcessor(sc_core::sc_module_name name, const StreamProcessorParameters& parameters)
    : sc_module(name),
      scheduler("to_scheduler"),
      registers("to_registers"),
      lanes("to_lanes"),
      memory("to_memory"),
      parameters_(checked(parameters)),
      clock_(parameters.clock),
      chooser_("scheduler", parameters.scheduler),
      streams_("registers", parameters.registers, static_cast<unsigned>(parameters.lanes)),
      simd_("lanes", static_cast<unsigned>(parameters.lanes)),
      network_("network", parameters.network),
      buffers_("buffers", parameters.memory_bytes),
      state_(parameters.scheduler, static_cast<unsigned>(parameters.lanes), streams_) {
  scheduler.bind(chooser_.requests);
  registers.bind(streams_.requests);
  lanes.bind(simd_.requests);
  memory.bind(buffers_.requests);
  streams_.memory.bind(buffers_.requests);
  simd_.network.bind(network_.requests);
  SC_HAS_PROCESS(StreamProcessor);
  SC_METHOD(step);
  sensitive << wake_;
  dont_initialize();
}

void StreamProcessor::begin(const Launch& launch, const ProgramImage& image, const kernel::StreamingGraph& graph,
                            DeviceMemory& device) {
  streams_.begin(graph);
  state_.begin(graph);
  simd_.begin(launch, image, graph, device);
  graph_ = &graph;
  arc_records_.assign(graph.arcs.size(), 0);
  runs_.assign(graph.nodes.size(), {});
  threads_ = launch.grid.count() * launch.threads_per_block();
  created_ = 0;
  now_ = created_by_ = clock_.now();
  ended_ = false;
  error_ = nullptr;
  loaded_ = ScheduleRequest::none;
  statistics_.threads += threads_;
  find_directions();
  wake_.notify(sc_core::SC_ZERO_TIME);
}

void StreamProcessor::find_directions() {
  down_.assign(graph_->nodes.size(), 0);
  std::vector<bool> known(graph_->nodes.size(), false);
  for (const StreamNode& node : graph_->nodes) {
    for (std::size_t i = 0; i + 1 < node.outputs.size(); i += 2) {
      const std::uint32_t first = graph_->arcs[node.outputs[i]].to;
      const std::uint32_t second = graph_->arcs[node.outputs[i + 1]].to;
      if (!known[second]) {
        down_[second] = down_[first] == 0 ? 1 : 0;
      } else if (!known[first]) {
        down_[first] = down_[second] == 0 ? 1 : 0;
      }
      known[first] = known[second] = true;
    }
  }
}

void StreamProcessor::step() {
  try {
    run_pass();
  } catch (...) {
    error_ = std::current_exception();
    sc_core::sc_pause();
  }
}

void StreamProcessor::run_pass() {
  now_ = clock_.now();
  streams_.pop_empty();
  create_threads();
  const std::vector<NodeView>& views = state_.look();
  ScheduleRequest choice;
  choice.nodes = views;
  choice.running = loaded_;
  sc_core::sc_time delay;
  scheduler->b_transport(choice, delay);
  if (choice.chosen == ScheduleRequest::none) {
    if (created_ != threads_ || std::ranges::any_of(views, [](const NodeView& view) { return view.waiting != 0; })) {
      fail_without_choice(views);
    }
    ended_ = true;
    ++statistics_.launches;
    sc_core::sc_pause();
    return;
  }
  const Cycle begin = now_;
  prepare(choice.chosen);
  charge(choice.chosen, ask_lanes(choice.chosen, choice.records));
  if (observer_) observer_({choice.chosen, choice.records, begin, now_});
  wake_.notify(clock_.time_until(now_));
}

void StreamProcessor::create_threads() {
  if (created_ == threads_) return;
  RecordQueue& first = streams_.top(0);
  const std::uint64_t room = std::min(first.room(), state_.admitted(0));
  const std::uint64_t count = std::min(room, threads_ - created_);
  if (count == 0) return;
  simd_.create(first, created_, count);
  arc_records_.front() += count;  // the source's arc
  created_ += count;
  created_by_ = std::max(created_by_, now_) + over(count, parameters_.create);
}

void StreamProcessor::prepare(std::uint32_t number) {
  const StreamNode& node = graph_->nodes[number];
  needed_.assign(1, number);
  for (const std::uint32_t output : node.outputs) {
    if (output == node.repeated) continue;
    const StreamArc& arc = graph_->arcs[output];
    if (state_.pushes(arc)) streams_.push(arc.to);
    needed_.push_back(arc.to);
  }
  RegisterRequest streams;
  streams.nodes = needed_;
  streams.now = now_;
  sc_core::sc_time delay;
  registers->b_transport(streams, delay);
  spend(Cause::spill, streams.ready - now_);
  if (number == 0 && created_by_ > now_) spend(Cause::starve, created_by_ - now_);
  // Passing records through also takes a kernel, an empty one: the dummy program of Fig. 4.18.
  if (number == loaded_) return;
  loaded_ = number;
  ++statistics_.switches;
  TransferRequest kernel;
  kernel.now = now_;
  kernel.bytes = node.instructions * parameters_.instruction_bytes;
  if (kernel.bytes != 0) kernel.bytes += 4 * node.uniforms.size();
  if (kernel.bytes == 0) return;
  memory->b_transport(kernel, delay);
  spend(Cause::load, kernel.done - now_);
}

PassRequest StreamProcessor::ask_lanes(std::uint32_t number, std::uint64_t records) {
  const StreamNode& node = graph_->nodes[number];
  to_.clear();
  to_down_.clear();
  for (const std::uint32_t output : node.outputs) {
    const std::uint32_t to = graph_->arcs[output].to;
    to_.push_back(output == node.repeated ? nullptr : &streams_.top(to));
    to_down_.push_back(down_[to]);
  }
  PassRequest pass;
  pass.node = number;
  pass.from = &streams_.top(number);
  pass.records = records;
  pass.to = to_;
  pass.down = to_down_;
  records_to_.assign(node.outputs.size(), 0);
  pass.records_to = records_to_;
  sc_core::sc_time delay;
  lanes->b_transport(pass, delay);
  for (std::size_t i = 0; i < node.outputs.size(); ++i) arc_records_[node.outputs[i]] += records_to_[i];
  streams_.sample();
  return pass;
}

void StreamProcessor::charge(std::uint32_t number, const PassRequest& pass) {
  ++statistics_.passes;
  ++runs_[number].passes;
  runs_[number].records += pass.records;
  statistics_.records += pass.records;
  statistics_.strips += pass.strips;
  statistics_.instructions += pass.instructions;
  statistics_.lane_instructions += pass.lane_instructions;
  statistics_.memory_traffic += pass.memory_bytes;
  const bool in_memory = parameters_.registers.words == 0;
  const bool ordered = graph_->nodes[number].kind != NodeKind::regular;
  // Without packing, all slots of the stream; otherwise only its records.
  const Cycle places = over(threads_, parameters_.lanes);
  const bool packs = parameters_.packing == StreamProcessorPacking::on_write;
  const Cycle run = packs ? pass.instructions : places * graph_->nodes[number].instructions;
  const bool by_passes = parameters_.unpack_instructions != 0;
  // Work that overlaps with the instructions. The longest part may take more cycles than they do.
  struct Overlapped {
    Cause cause;
    Cycle cycles;
  };
  const std::array<Overlapped, 4> overlapped = {{
      {Cause::transfer, over(pass.bytes, in_memory ? parameters_.memory_bytes : parameters_.register_bytes)},
      {Cause::memory, over(pass.memory_bytes, parameters_.memory_bytes)},
      {Cause::pack, packs ? pass.network_clocks : 0},
      {Cause::unpack, ordered && packs && !by_passes ? pass.strips : 0},
  }};
  spend(Cause::load, parameters_.pass_cycles + places * parameters_.bind_instructions);
  spend(Cause::run, run);
  const Overlapped& longest = *std::ranges::max_element(overlapped, {}, &Overlapped::cycles);
  if (longest.cycles > run) spend(longest.cause, longest.cycles - run);
  if (ordered && packs && !by_passes) spend(Cause::unpack, network_.latency());
  if (packs && by_passes && writes_in_order(number)) spend(Cause::unpack, places * parameters_.unpack_instructions);
  if (pass.records_out != 0) spend(Cause::pack, network_.latency());
  spend(Cause::query, places * parameters_.query_instructions);
}

bool StreamProcessor::writes_in_order(std::uint32_t number) const {
  return std::ranges::any_of(graph_->nodes[number].outputs, [&](std::uint32_t output) {
    return graph_->nodes[graph_->arcs[output].to].kind != NodeKind::regular;
  });
}

void StreamProcessor::spend(Cause cause, Cycle cycles) {
  statistics_.cycles[cause] += cycles;
  now_ += cycles;
}

void StreamProcessor::fail_without_choice(const std::vector<NodeView>& views) const {
  std::string text;
  for (std::uint32_t number = 0; number < views.size(); ++number) {
    const NodeView& view = views[number];
    if (view.waiting == 0) continue;
    const StreamNode& node = graph_->nodes[number];
    text += fmt::format("; {}: {} records wait", node.name, view.waiting);
    if (!view.synchronised) text += ", for others to come";
    for (const std::uint32_t output : node.outputs) {
      if (output == node.repeated) continue;
      const StreamArc& arc = graph_->arcs[output];
      text += fmt::format(", the stream of {} has room for {} of {}", graph_->nodes[arc.to].name, state_.room_on(arc),
                          streams_.top(arc.to).capacity());
    }
  }
  if (created_ != threads_) text += fmt::format("; {} threads have not begun", threads_ - created_);
  throw ExecutionError(
      fmt::format("kernel '{}' cannot go on: no node has both records and room for what they may become; give it more "
                  "or larger stream registers, or mark an arc of the cycle as a stack (emit.stack){}",
                  graph_->program->name, text));
}

}  // namespace reconverge
