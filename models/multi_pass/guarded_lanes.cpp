// SPDX-License-Identifier: Apache-2.0
#include "models/multi_pass/guarded_lanes.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "models/core/error.hpp"

namespace reconverge {

using kernel::ArrayUse;
using kernel::NodeWay;
using kernel::PassArray;
using kernel::PassKernel;
using kernel::SpecialRow;

namespace {

void copy_lanes(const std::uint32_t* from, std::uint32_t* to, LaneMask lanes) {
  if (lanes == all_lanes) {
    std::copy_n(from, warp_size, to);
  } else {
    for_each_lane(lanes, [&](unsigned lane) { to[lane] = from[lane]; });
  }
}

}  // namespace

GuardedLanes::GuardedLanes(sc_core::sc_module_name name, const Shape& shape)
    : sc_module(name),
      requests("requests"),
      shape_(shape),
      part_(static_cast<unsigned>(std::min<std::uint64_t>(shape.tile, warp_size))),
      step_(std::max<std::uint64_t>(shape.tile / warp_size, 1)),
      region_(static_cast<unsigned>(shape.lanes)) {
  requests.bind(*this);
}

void GuardedLanes::begin(const Launch& launch, const ProgramImage& image, const kernel::Partition& partition,
                         DeviceMemory& memory) {
  region_.begin(launch, image, {partition.blocks, partition.uniform_code, partition.rows}, memory);
  partition_ = &partition;
  memory_ = &memory;
  state_.begin(partition, launch.grid.count() * launch.threads_per_block(), step_);
  guards_.assign(state_.groups(), 0);
  moved_.assign(partition.kernels.size() * partition.kernels.size(), 0);
  uses_.clear();
  for (const PassKernel& kernel : partition.kernels) uses_.push_back(use_of(kernel, launch));
  remember_specials();
}

GuardedLanes::KernelUse GuardedLanes::use_of(const PassKernel& kernel, const Launch& launch) const {
  KernelUse use;
  use.specials = kernel.specials;
  if (launch.local_bytes() != 0) use.specials.push_back(SpecialRow::local_home);
  for (const kernel::NodeBlock& block : kernel.blocks) {
    const kernel::BasicBlock& code = partition_->blocks[block.block];
    for (kernel::Pc pc = code.first; pc != code.end; ++pc) {
      const kernel::Instruction& instruction = partition_->program->instructions[pc];
      const kernel::OperationClass of = instruction.operation_class;
      use.loads |= of == kernel::OperationClass::load && instruction.opcode != kernel::Opcode::ld_param;
      use.stores |= of == kernel::OperationClass::store;
    }
  }
  return use;
}

void GuardedLanes::remember_specials() {
  specials_.assign(static_cast<std::size_t>(SpecialRow::count), {});
  for (const KernelUse& use : uses_) {
    for (const SpecialRow row : use.specials) {
      std::vector<std::uint32_t>& words = specials_[static_cast<std::size_t>(row)];
      if (!words.empty()) continue;
      words.resize(state_.groups() * warp_size);
      for (std::uint32_t thread = 0; thread < words.size(); ++thread) words[thread] = region_.special_of(thread, row);
    }
  }
}

void GuardedLanes::b_transport(GuardedPass& pass, sc_core::sc_time& /*delay*/) {
  kernel_ = &partition_->kernels[pass.bound.kernel];
  refuse_arrays(pass);
  const KernelUse& use = uses_[pass.bound.kernel];
  region_.observe({});
  if (use.loads && use.stores) {
    hazards_.begin(*memory_, place_of(pass));
    region_.observe([this](const MemoryAccess& access, LaneMask lanes) { hazards_.note(access, lanes); });
  }
  for (std::uint64_t group = 0; group < state_.groups(); group += step_) look(pass, group);
  add_traffic(pass);
  pass.guards = guards_;
}

void GuardedLanes::look(GuardedPass& pass, std::uint64_t first_group) {
  LaneMask exist = 0;
  LaneMask alive = 0;
  for (std::uint64_t group = first_group; group < first_group + step_; ++group) {
    exist |= state_.exists(group);
    alive |= state_.exists(group) & ~state_.ended_lanes(group);
  }
  const LaneMask all = whole_tiles(exist);
  const LaneMask looked_at = shape_.skip_ended ? whole_tiles(alive) : all;
  LaneMask any = 0;
  for (std::uint64_t group = first_group; group < first_group + step_; ++group) {
    guards_[group] = looked_at == 0 ? 0 : guards_of(pass, group) & looked_at;
    any |= guards_[group];
  }
  const std::uint64_t working = count_tiles(whole_tiles(any));
  pass.tiles += working;
  pass.aborted += count_tiles(looked_at) - working;
  pass.skipped += count_tiles(all) - count_tiles(looked_at);
  for (std::uint64_t group = first_group; any != 0 && group < first_group + step_; ++group) {
    if (guards_[group] != 0) run(pass, group, guards_[group]);
  }
}

LaneMask GuardedLanes::guards_of(const GuardedPass& pass, std::uint64_t group) const {
  const std::uint32_t* const counters = state_.counters(pass.bound.from, group);
  const std::uint32_t* const stamps = state_.stamps(pass.bound.from, group);
  const std::uint32_t oldest = shape_.timestamps ? pass.oldest : 0;
  LaneMask guards = 0;
  for (unsigned lane = 0; lane < warp_size; ++lane) {
    const bool passes = (counters[lane] == pass.bound.kernel) & (stamps[lane] >= oldest);
    guards |= static_cast<LaneMask>(passes) << lane;
  }
  return guards;
}

LaneMask GuardedLanes::whole_tiles(LaneMask lanes) const {
  LaneMask whole = 0;
  for (unsigned first = 0; first < warp_size; first += part_) {
    const LaneMask tile = first_lanes(part_) << first;
    if ((lanes & tile) != 0) whole |= tile;
  }
  return whole;
}

void GuardedLanes::add_traffic(GuardedPass& pass) const {
  const std::uint64_t counter = shape_.timestamps ? 8 : 4;
  const std::uint64_t looked_at = (pass.tiles + pass.aborted) * shape_.tile;
  pass.counter_bytes = looked_at * counter * kernel_->all_passes() + pass.passed * counter;
  // If the kernel takes several passes, each computes everything and writes a part of the arrays.
  const std::uint64_t passes = kernel_->passes;
  pass.instructions = passes * pass.tiles * ((shape_.tile + shape_.lanes - 1) / shape_.lanes) * kernel_->instructions;
  pass.lane_instructions *= passes;
  pass.memory_bytes *= passes;
  for (const ArrayUse& use : kernel_->arrays) {
    const std::uint64_t bytes = partition_->arrays[use.array].bytes();
    const std::uint64_t read = pass.tiles * shape_.tile * bytes;
    const std::uint64_t written = pass.passed * bytes;
    if (use.read) pass.array_bytes += passes * read;
    if (use.written) pass.array_bytes += written;
    if (use.copied) pass.copy_bytes += written + (use.read ? 0 : read);
  }
}

void GuardedLanes::run(GuardedPass& pass, std::uint64_t group, LaneMask lanes) {
  next_.fill(StateArrays::ended);
  load(pass, group);
  std::uint64_t* const moved = moved_.data() + pass.bound.kernel * partition_->kernels.size();
  const auto leave = [&](std::uint32_t to, LaneMask going) {
    moved[to] += count_lanes(going);
    for_each_lane(going, [&](unsigned lane) { next_[lane] = to; });
  };
  if (kernel_->copies()) {
    leave(kernel_->successors.front(), lanes);
  } else {
    RegionLanes::Counts counts;
    region_.run(kernel_->blocks, lanes, counts,
                [&](const NodeWay& way, LaneMask going, const kernel::Instruction& /*last*/) { leave(way.to, going); });
    pass.lane_instructions += counts.lane_instructions;
    pass.memory_bytes += counts.memory_bytes;
  }
  store(pass, group, lanes);
  const LaneMask newer = state_.newer_in_second(group);
  pass.passed += count_lanes(lanes);
  pass.stale += count_lanes(lanes & (pass.bound.from == 0 ? newer : ~newer));
  go_on(pass, group, lanes);
}

void GuardedLanes::load(const GuardedPass& pass, std::uint64_t group) {
  for (const ArrayUse& use : kernel_->arrays) {
    if (!use.read) continue;
    const PassArray& array = partition_->arrays[use.array];
    for (std::size_t word = 0; word < array.values.size(); ++word) {
      const std::uint32_t* const column = state_.column(use.array, read_buffer(pass, use), word, group);
      const kernel::ValueId value = array.values[word];
      if (value < partition_->program->register_rows) {
        std::copy_n(column, warp_size, region_.row(value));
        continue;
      }
      LaneMask set = 0;
      for (unsigned lane = 0; lane < warp_size; ++lane) set |= (column[lane] & 1U) << lane;
      region_.predicate(value - partition_->program->register_rows) = set;
    }
  }
  for (const SpecialRow row : uses_[pass.bound.kernel].specials) {
    std::copy_n(specials_[static_cast<std::size_t>(row)].data() + group * warp_size, warp_size, region_.special(row));
  }
  for (unsigned lane = 0; lane < warp_size; ++lane) {
    region_.threads()[lane] = static_cast<std::uint32_t>(group * warp_size + lane);
  }
  region_.set_uniforms(kernel_->uniforms);
}

void GuardedLanes::store(const GuardedPass& pass, std::uint64_t group, LaneMask lanes) {
  for (const ArrayUse& use : kernel_->arrays) {
    if (!use.written && !use.copied) continue;
    const PassArray& array = partition_->arrays[use.array];
    for (std::size_t word = 0; word < array.values.size(); ++word) {
      std::uint32_t* const column = state_.column(use.array, written_buffer(pass, use), word, group);
      const kernel::ValueId value = array.values[word];
      if (use.copied) {
        copy_lanes(state_.column(use.array, read_buffer(pass, use), word, group), column, lanes);
      } else if (value < partition_->program->register_rows) {
        copy_lanes(region_.row(value), column, lanes);
      } else {
        const LaneMask set = region_.predicate(value - partition_->program->register_rows);
        for_each_lane(lanes, [&](unsigned lane) { column[lane] = set >> lane & 1U; });
      }
    }
  }
}

void GuardedLanes::go_on(const GuardedPass& pass, std::uint64_t group, LaneMask lanes) {
  copy_lanes(next_.data(), state_.counters(pass.bound.to(), group), lanes);
  std::uint32_t* const stamps = state_.stamps(pass.bound.to(), group);
  LaneMask ended = 0;
  for_each_lane(lanes, [&](unsigned lane) {
    stamps[lane] = pass.time;
    if (next_[lane] == StateArrays::ended) ended |= lane_bit(lane);
  });
  LaneMask& newer = state_.newer_in_second(group);
  newer = pass.bound.to() == 1 ? newer | lanes : newer & ~lanes;
  LaneMask& all_ended = state_.ended_lanes(group);
  all_ended = (all_ended & ~lanes) | ended;
}

unsigned GuardedLanes::read_buffer(const GuardedPass& pass, const ArrayUse& use) const {
  if (!partition_->arrays[use.array].double_buffered) return 0;
  return partition_->static_bindings ? use.from : pass.bound.from;
}

unsigned GuardedLanes::written_buffer(const GuardedPass& pass, const ArrayUse& use) const {
  if (!partition_->arrays[use.array].double_buffered) return 0;
  return partition_->static_bindings ? use.to : pass.bound.to();
}

std::string GuardedLanes::place_of(const GuardedPass& pass) const {
  return fmt::format("pass {} of '{}', kernel {},", pass.time, partition_->program->name, kernel_->name);
}

void GuardedLanes::refuse_arrays(const GuardedPass& pass) const {
  for (const ArrayUse& use : kernel_->arrays) {
    const bool reads = use.read || use.copied;
    if (!reads || !(use.written || use.copied) || read_buffer(pass, use) != written_buffer(pass, use)) continue;
    throw ExecutionError(fmt::format("{} reads and writes array {}: an array is input or output of a pass, not both",
                                     place_of(pass), array_name(*partition_, use.array)));
  }
}

}  // namespace reconverge
