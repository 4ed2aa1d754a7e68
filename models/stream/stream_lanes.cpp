#include "models/stream/stream_lanes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "models/core/error.hpp"

namespace reconverge {

using kernel::NodeWay;
using kernel::SpecialRow;

namespace {

constexpr std::uint64_t most_local_bytes = std::uint64_t{1} << 30;
// What a load or store moves at least.
constexpr unsigned sector_bits = 5;

constexpr std::uint32_t rounded(std::uint32_t bytes) { return (bytes + 15U) / 16U * 16U; }
constexpr LaneMask first_lanes(std::uint64_t count) {
  return count >= warp_size ? all_lanes : (LaneMask{1} << count) - 1;
}

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
    : sc_module(name), requests("requests"), network("network"), lanes_(lanes) {
  requests.bind(*this);
}

void StreamLanes::begin(const Launch& launch, const ProgramImage& image, const kernel::StreamingGraph& graph,
                        DeviceMemory& memory) {
  const kernel::Program& program = image.program();
  launch_ = &launch;
  image_ = &image;
  graph_ = &graph;
  local_bytes_ = rounded(launch.local_bytes());
  const std::uint64_t threads = (launch.grid.count() * launch.threads_per_block() + warp_size - 1) / warp_size * 32;
  if (threads * local_bytes_ > most_local_bytes) {
    throw InputError({program.file, 0, 0},
                     fmt::format("{} threads of {} bytes of local memory each, and {} are possible", threads,
                                 local_bytes_, most_local_bytes),
                     "a stream processor has all threads of a launch under way: launch fewer at a time");
  }
  local_.assign(threads * local_bytes_, std::byte{0});
  registers_.assign(graph.rows, Row{});
  special_.assign(static_cast<std::size_t>(SpecialRow::count), Row{});
  predicates_.assign(program.predicates + 1, 0);
  const auto set = [&](SpecialRow row, std::uint32_t value) {
    special_[static_cast<std::size_t>(row)].words.fill(value);
  };
  set(SpecialRow::ntid_x, launch.block.x);
  set(SpecialRow::ntid_y, launch.block.y);
  set(SpecialRow::ntid_z, launch.block.z);
  set(SpecialRow::nctaid_x, launch.grid.x);
  set(SpecialRow::nctaid_y, launch.grid.y);
  set(SpecialRow::nctaid_z, launch.grid.z);
  context_ = ExecutionContext{};
  context_.bank = {reinterpret_cast<std::byte*>(registers_.data()), image.constants(),
                   reinterpret_cast<std::byte*>(special_.data())};
  context_.predicates = predicates_.data();
  context_.memory = &memory;
  context_.parameters = launch.parameters.data();
  context_.local = local_.data();
  context_.local_bytes = launch.local_bytes();
  context_.program = &program;
  context_.print = &launch.print;
  names_ = {{}, launch.threads_per_block()};
  context_.names = &names_;
  for (const kernel::Instruction& instruction : graph.uniform_code) {
    select_operation(program, instruction)(instruction, context_, all_lanes);
  }
  target_of_.assign(graph.arcs.size(), 0);
  std::size_t most_blocks = 0;
  for (const kernel::StreamNode& node : graph.nodes) {
    most_blocks = std::max(most_blocks, node.blocks.size());
    for (std::uint32_t i = 0; i < node.outputs.size(); ++i) target_of_[node.outputs[i]] = i;
  }
  at_block_.assign(most_blocks, 0);
}

void StreamLanes::create(RecordQueue& to, std::uint64_t first, std::uint64_t count) {
  const kernel::RecordFields& fields = graph_->nodes.front().fields;
  const LaneWords zeros{};
  const std::uint32_t block_threads = launch_->threads_per_block();
  for (std::uint64_t done = 0; done < count; done += warp_size) {
    const LaneMask lanes = first_lanes(count - done);
    const LaneList list(lanes);
    LaneWords threads{};
    LaneWords of_block{};
    LaneWords block{};
    for (unsigned lane = 0; lane < warp_size; ++lane) {
      threads[lane] = static_cast<std::uint32_t>(first + done + lane);
      of_block[lane] = threads[lane] % block_threads;
      block[lane] = threads[lane] / block_threads;
    }
    const auto value = [&](SpecialRow row, unsigned lane) -> std::uint32_t {
      switch (row) {
        case SpecialRow::tid_x:
          return of_block[lane] % launch_->block.x;
        case SpecialRow::tid_y:
          return of_block[lane] / launch_->block.x % launch_->block.y;
        case SpecialRow::tid_z:
          return of_block[lane] / launch_->block.x / launch_->block.y;
        case SpecialRow::ctaid_x:
          return block[lane] % launch_->grid.x;
        case SpecialRow::ctaid_y:
          return block[lane] / launch_->grid.x % launch_->grid.y;
        case SpecialRow::ctaid_z:
          return block[lane] / launch_->grid.x / launch_->grid.y;
        default:  // where the words of a thread's local memory begin, those of 32 threads side by side
          return threads[lane] / warp_size * warp_size * local_bytes_ + threads[lane] % warp_size * 4;
      }
    };
    to.begin(list);
    std::uint32_t word = 0;
    for (; word < fields.registers.size(); ++word) to.put(word, list, zeros.data());
    for (const SpecialRow row : fields.specials) {
      LaneWords values{};
      for (unsigned lane = 0; lane < warp_size; ++lane) values[lane] = value(row, lane);
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
    set_uniforms();
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
    set_uniforms();
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
  for (const std::uint16_t number : fields.registers) std::copy_n(from.column(word++), warp_size, row(number));
  for (const SpecialRow special : fields.specials) {
    std::copy_n(from.column(word++), warp_size, special_[static_cast<std::size_t>(special)].words.data());
  }
  for (std::size_t i = 0; i < fields.predicates.size(); ++i) {
    const std::uint32_t* const packed = from.column(word + static_cast<std::uint32_t>(i / 32));
    LaneMask mask = 0;
    for (unsigned lane = 0; lane < warp_size; ++lane) mask |= (packed[lane] >> (i % 32) & 1U) << lane;
    predicates_[fields.predicates[i]] = mask;
  }
  std::copy_n(from.threads(), warp_size, names_.threads.data());
}

void StreamLanes::load_lanes(const RecordQueue& from, LaneMask lanes) {
  const kernel::RecordFields& fields = node_->fields;
  const LaneList list(lanes);
  const auto spread = [&](const std::uint32_t* column, std::uint32_t* to) {
    for (unsigned i = 0; i < list.size(); ++i) to[list[i]] = column[i];
  };
  std::uint32_t word = 0;
  for (const std::uint16_t number : fields.registers) spread(from.column(word++), row(number));
  for (const SpecialRow special : fields.specials) {
    spread(from.column(word++), special_[static_cast<std::size_t>(special)].words.data());
  }
  for (std::size_t i = 0; i < fields.predicates.size(); ++i) {
    LaneWords packed{};
    spread(from.column(word + static_cast<std::uint32_t>(i / 32)), packed.data());
    LaneMask& mask = predicates_[fields.predicates[i]];
    for_each_lane(lanes,
                  [&](unsigned lane) { mask = (mask & ~lane_bit(lane)) | ((packed[lane] >> (i % 32) & 1U) << lane); });
  }
  spread(from.threads(), names_.threads.data());
}

void StreamLanes::set_uniforms() {
  for (const kernel::UniformRow& uniform : node_->uniforms) {
    std::copy_n(row(uniform.from), warp_size, row(uniform.row));
  }
}

void StreamLanes::run_node(PassRequest& pass, LaneMask lanes) {
  at_block_[0] = lanes;
  for (std::size_t i = 0; i < node_->blocks.size(); ++i) {
    const LaneMask here = std::exchange(at_block_[i], 0);
    if (here == 0) continue;
    const kernel::NodeBlock& part = node_->blocks[i];
    const kernel::BasicBlock& block = graph_->program->blocks[part.block];
    const LaneMask left = run_block(pass, block, here);
    const kernel::Instruction& last = image_->instruction(block.end - 1);
    const LaneMask taken = image_->steps()[block.end - 1].guard.pass(predicates_.data(), left);
    for (const NodeWay& way : part.ways) {
      const LaneMask going = lanes_of(way, left, taken);
      if (going == 0) continue;
      if (way.inside) {
        at_block_[way.to] |= going;
        continue;
      }
      Target& target = targets_[target_of_[way.to]];
      if (kernel::forks(last) && way.lanes == NodeWay::Lanes::taken) {
        write(pass, target, going);
        move(pass, target, going);
      } else {
        target.lanes |= going;
      }
    }
  }
}

LaneMask StreamLanes::lanes_of(const NodeWay& way, LaneMask lanes, LaneMask taken) const {
  switch (way.lanes) {
    case NodeWay::Lanes::all:
      return lanes;
    case NodeWay::Lanes::taken:
      return taken;
    case NodeWay::Lanes::others:
      return lanes & ~taken;
    case NodeWay::Lanes::indexed:
      break;
  }
  LaneMask going = 0;
  for_each_lane(taken, [&](unsigned lane) {
    if (context_.targets[lane] == way.target) going |= lane_bit(lane);
  });
  return going;
}

LaneMask StreamLanes::run_block(PassRequest& pass, const kernel::BasicBlock& block, LaneMask lanes) {
  for (kernel::Pc pc = block.first; pc != block.end; ++pc) {
    const DecodedInstruction& decoded = image_->decoded(pc);
    const LaneMask active = decoded.guard.pass(predicates_.data(), lanes);
    pass.lane_instructions += count_lanes(decoded.flow == Flow::branch ? lanes : active);
    if (active == 0) continue;
    if (decoded.operation != nullptr) {
      context_.access.space = kernel::Space::none;  // parameters are not in memory
      decoded.operation(*decoded.instruction, context_, active);
      if (decoded.memory) pass.memory_bytes += sectors_of(context_.access, active) << sector_bits;
    }
    if (decoded.flow == Flow::exit) lanes &= ~active;
  }
  return lanes;
}

void StreamLanes::write(PassRequest& pass, Target& target, LaneMask lanes) {
  const auto output = static_cast<std::size_t>(&target - targets_.data());
  const kernel::StreamNode& to = graph_->nodes[graph_->arcs[node_->outputs[output]].to];
  const kernel::RecordFields& fields = to.fields;
  const LaneList list(lanes);
  RecordQueue& queue = *target.queue;
  queue.begin(list);
  std::uint32_t word = 0;
  for (const std::uint16_t number : fields.registers) queue.put(word++, list, row(number));
  for (const SpecialRow special : fields.specials) {
    queue.put(word++, list, special_[static_cast<std::size_t>(special)].words.data());
  }
  for (std::size_t i = 0; i < fields.predicates.size(); i += 32) {
    LaneWords packed{};
    for (std::size_t bit = 0; bit < 32 && i + bit < fields.predicates.size(); ++bit) {
      const LaneMask mask = predicates_[fields.predicates[i + bit]];
      for (unsigned lane = 0; lane < warp_size; ++lane) packed[lane] |= (mask >> lane & 1U) << bit;
    }
    queue.put(word++, list, packed.data());
  }
  queue.put_threads(list, names_.threads.data());
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

std::uint64_t StreamLanes::sectors_of(const MemoryAccess& access, LaneMask lanes) {
  if (access.space != kernel::Space::global && access.space != kernel::Space::local) return 0;
  std::uint64_t sectors = 0;
  for (unsigned first = 0; first < warp_size; first += lanes_) {
    std::array<DeviceAddress, warp_size> seen;
    auto end = seen.begin();
    for_each_lane(lanes & first_lanes(lanes_) << first, [&](unsigned lane) {
      const DeviceAddress sector = access.address[lane] >> sector_bits;
      if (std::find(std::make_reverse_iterator(end), seen.rend(), sector) != seen.rend()) return;
      *end++ = sector;
    });
    sectors += static_cast<std::uint64_t>(end - seen.begin());
  }
  // Local memory: a row of words for each 4 bytes of a lane.
  return access.space == kernel::Space::local ? sectors * access.repeats : sectors;
}

}  // namespace reconverge
