// SPDX-License-Identifier: Apache-2.0
#include "models/execution/region_lanes.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "models/core/error.hpp"

namespace reconverge {

using kernel::NodeWay;
using kernel::SpecialRow;

namespace {

constexpr std::uint64_t most_local_bytes = std::uint64_t{1} << 30;
// The smallest unit that a load or store moves.
constexpr unsigned sector_bits = 5;

constexpr std::uint32_t rounded(std::uint32_t bytes) { return (bytes + 15U) / 16U * 16U; }

}  // namespace

void RegionLanes::begin(const Launch& launch, const ProgramImage& image, const Code& code, DeviceMemory& memory) {
  const kernel::Program& program = image.program();
  launch_ = &launch;
  image_ = &image;
  blocks_ = code.blocks;
  local_bytes_ = rounded(launch.local_bytes());
  const std::uint64_t threads = (launch.grid.count() * launch.threads_per_block() + warp_size - 1) / warp_size * 32;
  if (threads * local_bytes_ > most_local_bytes) {
    throw InputError({program.file, 0, 0},
                     fmt::format("{} threads of {} bytes of local memory each, and {} are possible", threads,
                                 local_bytes_, most_local_bytes),
                     "all threads of a launch are under way on a machine without branches: launch fewer at a time");
  }
  local_.assign(threads * local_bytes_, std::byte{0});
  registers_.assign(code.rows, Row{});
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
  for (const kernel::Instruction& instruction : code.uniform_code) {
    select_operation(program, instruction)(instruction, context_, all_lanes);
  }
}

std::uint32_t RegionLanes::special_of(std::uint32_t thread, SpecialRow row) const {
  const std::uint32_t of_block = thread % launch_->threads_per_block();
  const std::uint32_t block = thread / launch_->threads_per_block();
  switch (row) {
    case SpecialRow::tid_x:
      return of_block % launch_->block.x;
    case SpecialRow::tid_y:
      return of_block / launch_->block.x % launch_->block.y;
    case SpecialRow::tid_z:
      return of_block / launch_->block.x / launch_->block.y;
    case SpecialRow::ctaid_x:
      return block % launch_->grid.x;
    case SpecialRow::ctaid_y:
      return block / launch_->grid.x % launch_->grid.y;
    case SpecialRow::ctaid_z:
      return block / launch_->grid.x / launch_->grid.y;
    default:  // start of the words of a thread's local memory, interleaved with those of 32 threads
      return thread / warp_size * warp_size * local_bytes_ + thread % warp_size * 4;
  }
}

LaneMask RegionLanes::lanes_of(const kernel::NodeWay& way, LaneMask lanes, LaneMask taken) const {
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

LaneMask RegionLanes::run_block(const kernel::BasicBlock& block, LaneMask lanes, Counts& counts) {
  for (kernel::Pc pc = block.first; pc != block.end; ++pc) {
    const DecodedInstruction& decoded = image_->decoded(pc);
    const LaneMask active = decoded.guard.pass(predicates_.data(), lanes);
    counts.lane_instructions += count_lanes(decoded.flow == Flow::branch ? lanes : active);
    if (active == 0) continue;
    if (decoded.operation != nullptr) {
      context_.access.space = kernel::Space::none;  // parameters are not in memory
      decoded.operation(*decoded.instruction, context_, active);
      if (decoded.memory) {
        counts.memory_bytes += sectors_of(context_.access, active) << sector_bits;
        if (observer_) observer_(context_.access, active & context_.access.lanes);
      }
    }
    if (decoded.flow == Flow::exit) lanes &= ~active;
  }
  return lanes;
}

std::uint64_t RegionLanes::sectors_of(const MemoryAccess& access, LaneMask lanes) const {
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
