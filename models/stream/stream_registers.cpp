// SPDX-License-Identifier: Apache-2.0
#include "models/stream/stream_registers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <stdexcept>

#include "models/core/error.hpp"

namespace reconverge {

namespace {

/// Empty records still take one word each.
std::uint32_t room_of(const kernel::StreamNode& node) { return std::max<std::uint32_t>(node.fields.words(), 1); }

}  // namespace

StreamRegisters::StreamRegisters(sc_core::sc_module_name name, const StreamRegistersParameters& parameters,
                                 unsigned lanes)
    : sc_module(name), requests("requests"), memory("memory"), parameters_(parameters), lanes_(lanes) {
  requests.bind(*this);
}

void StreamRegisters::begin(const kernel::StreamingGraph& graph) {
  graph_ = &graph;
  for (const kernel::StreamNode& node : graph.nodes) {
    const std::uint64_t least = std::uint64_t{2} * lanes_ * room_of(node);
    if (parameters_.words != 0 && parameters_.words < least) {
      throw ParameterError("stream_processor.registers.words",
                           fmt::format("{} words, and the node '{}' of '{}' takes records of {}", parameters_.words,
                                       node.name, graph.program->name, node.fields.words()),
                           fmt::format("a stream register has at least 2 W R words for W lanes: {} here", least));
    }
    std::set<std::uint32_t> needed;
    for (const std::uint32_t arc : node.outputs) {
      if (arc != node.repeated) needed.insert(graph.arcs[arc].to);
    }
    if (parameters_.words != 0 && needed.size() + 1 > parameters_.count) {
      throw ParameterError("stream_processor.registers.count",
                           fmt::format("{} registers, and the node '{}' of '{}' reads one and writes {}",
                                       parameters_.count, node.name, graph.program->name, needed.size()),
                           "give it as many as a pass needs at a time");
    }
  }
  streams_.clear();
  for (std::uint32_t node = 0; node < graph.nodes.size(); ++node) {
    streams_.emplace_back();
    streams_.back().push_back(make(node));
    // Streams beyond the number of registers stay in memory until they are needed.
    streams_.back().back().on_chip = parameters_.words == 0 || node < parameters_.count;
  }
}

StreamRegisters::Register StreamRegisters::make(std::uint32_t node) const {
  const std::uint32_t words = graph_->nodes[node].fields.words();
  const std::uint64_t capacity =
      parameters_.words == 0 ? RecordQueue::unlimited : parameters_.words / room_of(graph_->nodes[node]);
  return {std::make_unique<RecordQueue>(words, capacity), true, clock_};
}

std::uint64_t StreamRegisters::waiting(std::uint32_t node) const {
  std::uint64_t records = 0;
  for (const Register& one : streams_[node]) records += one.queue->size();
  return records;
}

void StreamRegisters::push(std::uint32_t node) {
  streams_[node].push_back(make(node));
  streams_[node].back().on_chip = false;  // brought on chip when it is needed
  ++statistics_.pushes;
}

void StreamRegisters::pop_empty() {
  for (auto& stack : streams_) {
    while (stack.size() > 1 && stack.back().queue->empty()) stack.pop_back();
  }
}

std::uint64_t StreamRegisters::on_chip() const {
  std::uint64_t count = 0;
  for (const auto& stack : streams_) {
    count += static_cast<std::uint64_t>(std::ranges::count_if(stack, &Register::on_chip));
  }
  return count;
}

void StreamRegisters::sample() {
  for (const auto& stack : streams_) {
    for (const Register& one : stack) {
      if (!one.on_chip || one.queue->empty()) continue;
      ++statistics_.occupied;
      statistics_.used += one.queue->size() * one.queue->words();
    }
  }
}

void StreamRegisters::b_transport(RegisterRequest& request, sc_core::sc_time& /*delay*/) {
  request.ready = request.now;
  if (parameters_.words == 0) return;
  ++clock_;
  for (const std::uint32_t node : request.nodes) streams_[node].back().used = clock_;
  for (const std::uint32_t node : request.nodes) {
    Register& one = streams_[node].back();
    if (one.on_chip) continue;
    while (on_chip() >= parameters_.count) make_room(request);
    one.on_chip = true;
    if (one.queue->empty()) continue;
    ++statistics_.fills;
    move(request, *one.queue);
  }
}

StreamRegisters::Rank StreamRegisters::rank_of(const Register& one, bool below) const {
  const bool is_free = parameters_.replacement == StreamRegistersReplacement::empty_first && one.queue->empty();
  return {!is_free, !below, one.used};
}

void StreamRegisters::make_room(RegisterRequest& request) {
  Register* victim = nullptr;
  Rank best;
  for (auto& stack : streams_) {
    for (std::size_t i = 0; i < stack.size(); ++i) {
      Register& one = stack[i];
      if (!one.on_chip || one.used == clock_) continue;
      const Rank rank = rank_of(one, i + 1 < stack.size());
      if (victim != nullptr && rank >= best) continue;
      victim = &one;
      best = rank;
    }
  }
  if (victim == nullptr) throw std::logic_error("a pass needs more stream registers than there are");
  victim->on_chip = false;
  if (victim->queue->empty()) return;
  ++statistics_.spills;
  move(request, *victim->queue);
}

void StreamRegisters::move(RegisterRequest& request, const RecordQueue& queue) {
  TransferRequest transfer;
  transfer.now = request.now;
  transfer.bytes = 4 * queue.size() * queue.words();
  statistics_.spill_bytes += transfer.bytes;
  sc_core::sc_time delay;
  memory->b_transport(transfer, delay);
  request.ready = std::max(request.ready, transfer.done);
}

}  // namespace reconverge
