// SPDX-License-Identifier: Apache-2.0
#include "models/stream/stream_lanes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "models/core/error.hpp"

namespace reconverge {

using kernel::NodeWay;
using kernel::SpecialRow;

namespace {

/// At most `count` lanes of the mask.
LaneMask lowest_lanes(LaneMask lanes, std::uint64_t count) {
  LaneMask taken = 0;
  for (; lanes != 0 && count != 0; --count) {
    const LaneMask lowest = lanes & (~lanes + 1);
    taken |= lowest;
    lanes &= ~lowest;
  }
  return taken;
}

}  // namespace

StreamLanes::StreamLanes(sc_core::sc_module_name name, unsigned lanes)
    : sc_module(name), requests("requests"), network("network"), lanes_(lanes), region_(lanes) {
  requests.bind(*this);
}

void StreamLanes::begin(const Launch& launch, const ProgramImage& image, const kernel::StreamingGraph& graph,
                        DeviceMemory& memory) {
  graph_ = &graph;
  region_.begin(launch, image, {graph.program->blocks, graph.uniform_code, graph.rows}, memory);
  target_of_.assign(graph.arcs.size(), 0);
  for (const kernel::StreamNode& node : graph.nodes) {
    for (std::uint32_t i = 0; i < node.outputs.size(); ++i) target_of_[node.outputs[i]] = i;
  }
}

void StreamLanes::create(RecordQueue& to, std::uint64_t first, std::uint64_t count) {
  const kernel::RecordFields& fields = graph_->nodes.front().fields;
  const LaneWords zeros{};
  for (std::uint64_t done = 0; done < count; done += warp_size) {
    const LaneMask lanes = first_lanes(count - done);
    const LaneList list(lanes);
    LaneWords threads{};
    for (unsigned lane = 0; lane < warp_size; ++lane) threads[lane] = static_cast<std::uint32_t>(first + done + lane);
    to.begin(list);
    std::uint32_t word = 0;
    for (; word < fields.registers.size(); ++word) to.put(word, list, zeros.data());
    for (const SpecialRow row : fields.specials) {
      LaneWords values{};
      for (unsigned lane = 0; lane < warp_size; ++lane) values[lane] = region_.special_of(threads[lane], row);
      to.put(word++, list, values.data());
    }
    for (; word < fields.words(); ++word) to.put(word, list, zeros.data());
    to.put_threads(list, threads.data());
  }
}

void StreamLanes::b_transport(PassRequest& pass, sc_core::sc_time& /*delay*/) {
  node_ = &graph_->nodes[pass.node];
  targets_.clear();
  for (std::size_t i = 0; i < pass.to.size(); ++i) {
    const std::uint64_t written = pass.to[i] != nullptr ? pass.to[i]->written() : 0;
    targets_.push_back({pass.to[i], pass.down[i] != 0, written, 0});
  }
  if (node_->blocks.empty()) return pass_through(pass);
  if (node_->repeats()) return run_in_place(pass);
  run_strips(pass);
}

void StreamLanes::pass_through(PassRequest& pass) {
  RecordQueue& from = *pass.from;
  for (std::uint64_t left = pass.records; left != 0;) {
    const std::uint64_t count = std::min<std::uint64_t>(left, warp_size);
    Target& target = targets_.front();
    target.lanes = first_lanes(count);
    const LaneList list(target.lanes);
    target.queue->begin(list);
    for (std::uint32_t word = 0; word < from.words(); ++word) target.queue->put(word, list, from.column(word));
    target.queue->put_threads(list, from.threads());
    pass.bytes += 2 * count * node_->fields.bytes();
    pass.records_out += count;
    pass.records_to.front() += count;
    pass.strips += (count + lanes_ - 1) / lanes_;
    move(pass);
    from.pop(count);
    left -= count;
  }
}

void StreamLanes::run_strips(PassRequest& pass) {
  for (std::uint64_t left = pass.records; left != 0;) {
    const auto count = static_cast<unsigned>(std::min<std::uint64_t>(left, warp_size));
    const std::uint64_t strips = (count + lanes_ - 1) / lanes_;
    load(*pass.from);
    pass.from->pop(count);
    region_.set_uniforms(node_->uniforms);
    pass.strips += strips;
    pass.instructions += strips * node_->instructions;
    pass.bytes += std::uint64_t{count} * node_->fields.bytes();
    run_node(pass, first_lanes(count));
    write_outputs(pass);
    left -= count;
  }
}

void StreamLanes::run_in_place(PassRequest& pass) {
  Target& again = targets_[target_of_[node_->repeated]];
  LaneMask busy = 0;
  for (std::uint64_t left = pass.records; left != 0 || busy != 0;) {
    // Free lanes take the next records.
    LaneMask free = first_lanes(lanes_) & ~busy;
    free = lowest_lanes(free, left);
    if (free != 0) {
      load_lanes(*pass.from, free);
      pass.from->pop(count_lanes(free));
      pass.bytes += std::uint64_t{count_lanes(free)} * node_->fields.bytes();
      left -= count_lanes(free);
    }
    region_.set_uniforms(node_->uniforms);
    ++pass.strips;
    pass.instructions += node_->instructions;
    run_node(pass, busy | free);
    busy = std::exchange(again.lanes, 0);
    write_outputs(pass);
  }
}

void StreamLanes::load(const RecordQueue& from) {
  const kernel::RecordFields& fields = node_->fields;
  std::uint32_t word = 0;
  for (const std::uint16_t number : fields.registers) std::copy_n(from.column(word++), warp_size, region_.row(number));
  for (const SpecialRow special : fields.specials) {
    std::copy_n(from.column(word++), warp_size, region_.special(special));
  }
  for (std::size_t i = 0; i < fields.predicates.size(); ++i) {
    const std::uint32_t* const packed = from.column(word + static_cast<std::uint32_t>(i / 32));
    LaneMask mask = 0;
    for (unsigned lane = 0; lane < warp_size; ++lane) mask |= (packed[lane] >> (i % 32) & 1U) << lane;
    region_.predicate(fields.predicates[i]) = mask;
  }
  std::copy_n(from.threads(), warp_size, region_.threads());
}

void StreamLanes::load_lanes(const RecordQueue& from, LaneMask lanes) {
  const kernel::RecordFields& fields = node_->fields;
  const LaneList list(lanes);
  const auto spread = [&](const std::uint32_t* column, std::uint32_t* to) {
    for (unsigned i = 0; i < list.size(); ++i) to[list[i]] = column[i];
  };
  std::uint32_t word = 0;
  for (const std::uint16_t number : fields.registers) spread(from.column(word++), region_.row(number));
  for (const SpecialRow special : fields.specials) {
    spread(from.column(word++), region_.special(special));
  }
  for (std::size_t i = 0; i < fields.predicates.size(); ++i) {
    LaneWords packed{};
    spread(from.column(word + static_cast<std::uint32_t>(i / 32)), packed.data());
    LaneMask& mask = region_.predicate(fields.predicates[i]);
    for_each_lane(lanes,
                  [&](unsigned lane) { mask = (mask & ~lane_bit(lane)) | ((packed[lane] >> (i % 32) & 1U) << lane); });
  }
  spread(from.threads(), region_.threads());
}

void StreamLanes::run_node(PassRequest& pass, LaneMask lanes) {
  RegionLanes::Counts counts;
  region_.run(node_->blocks, lanes, counts, [&](const NodeWay& way, LaneMask going, const kernel::Instruction& last) {
    Target& target = targets_[target_of_[way.to]];
    if (kernel::forks(last) && way.lanes == NodeWay::Lanes::taken) {
      write(pass, target, going);
      move(pass, target, going);
    } else {
      target.lanes |= going;
    }
  });
  pass.lane_instructions += counts.lane_instructions;
  pass.memory_bytes += counts.memory_bytes;
}

void StreamLanes::write(PassRequest& pass, Target& target, LaneMask lanes) {
  const auto output = static_cast<std::size_t>(&target - targets_.data());
  const kernel::StreamNode& to = graph_->nodes[graph_->arcs[node_->outputs[output]].to];
  const kernel::RecordFields& fields = to.fields;
  const LaneList list(lanes);
  RecordQueue& queue = *target.queue;
  queue.begin(list);
  std::uint32_t word = 0;
  for (const std::uint16_t number : fields.registers) queue.put(word++, list, region_.row(number));
  for (const SpecialRow special : fields.specials) {
    queue.put(word++, list, region_.special(special));
  }
  for (std::size_t i = 0; i < fields.predicates.size(); i += 32) {
    LaneWords packed{};
    for (std::size_t bit = 0; bit < 32 && i + bit < fields.predicates.size(); ++bit) {
      const LaneMask mask = region_.predicate(fields.predicates[i + bit]);
      for (unsigned lane = 0; lane < warp_size; ++lane) packed[lane] |= (mask >> lane & 1U) << bit;
    }
    queue.put(word++, list, packed.data());
  }
  queue.put_threads(list, region_.threads());
  pass.records_out += list.size();
  pass.records_to[output] += list.size();
  pass.bytes += std::uint64_t{list.size()} * fields.bytes();
}

void StreamLanes::write_outputs(PassRequest& pass) {
  for (Target& target : targets_) {
    if (target.lanes != 0) write(pass, target, target.lanes);
  }
  move(pass);
}

void StreamLanes::move(PassRequest& pass) {
  for (unsigned first = 0; first < warp_size; first += lanes_) {
    const LaneMask strip = first_lanes(lanes_) << first;
    for (std::size_t i = 0; i < targets_.size(); i += 2) {
      if (i + 1 < targets_.size()) {
        pass.network_clocks += clocks_of(targets_[i], targets_[i + 1], strip);
      } else {
        pass.network_clocks += clocks_of(targets_[i], targets_[i].lanes, strip);
      }
    }
  }
  for (Target& target : targets_) target.lanes = 0;
}

unsigned StreamLanes::clocks_of(Target& first, Target& second, LaneMask strip) {
  const LaneMask to_first = first.lanes & strip;
  const LaneMask to_second = second.lanes & strip;
  if ((to_first & to_second) != 0 || to_first == 0 || to_second == 0 || first.down == second.down) {
    return clocks_of(first, to_first, strip) + clocks_of(second, to_second, strip);
  }
  if (first.down) return clocks_of(second, first, strip);
  const auto shift = static_cast<unsigned>(std::countr_zero(strip));
  NetworkRequest request;
  request.kind = NetworkKind::split;
  request.group.active = (to_first | to_second) >> shift;
  request.group.taken = to_first >> shift;
  request.group.first = static_cast<unsigned>(first.written) & (lanes_ - 1);
  request.group.second = (lanes_ - 1 - static_cast<unsigned>(second.written)) & (lanes_ - 1);
  sc_core::sc_time delay;
  network->b_transport(request, delay);
  first.written += count_lanes(to_first);
  second.written += count_lanes(to_second);
  return request.clocks;
}

void StreamLanes::move(PassRequest& pass, Target& target, LaneMask lanes) {
  for (unsigned first = 0; first < warp_size; first += lanes_) {
    pass.network_clocks += clocks_of(target, lanes, first_lanes(lanes_) << first);
  }
}

unsigned StreamLanes::clocks_of(Target& target, LaneMask lanes, LaneMask strip) {
  lanes &= strip;
  if (lanes == 0) return 0;
  NetworkRequest request;
  request.group.active = request.group.taken = lanes >> static_cast<unsigned>(std::countr_zero(strip));
  request.group.first = static_cast<unsigned>(target.written) & (lanes_ - 1);
  sc_core::sc_time delay;
  network->b_transport(request, delay);
  target.written += count_lanes(lanes);
  return request.clocks;
}

}  // namespace reconverge
