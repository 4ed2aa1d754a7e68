// SPDX-License-Identifier: Apache-2.0
#include "models/execution/thread_setup.hpp"

#include <algorithm>
#include <cstring>
#include <numeric>

namespace reconverge {

using kernel::SpecialRow;

namespace {

constexpr std::size_t special_rows = static_cast<std::size_t>(SpecialRow::count);

Dim3 unflatten(std::uint64_t index, const Dim3& extent) {
  if (index < extent.x) return {static_cast<std::uint32_t>(index), 0, 0};  // divisions are slow
  return {static_cast<std::uint32_t>(index % extent.x), static_cast<std::uint32_t>(index / extent.x % extent.y),
          static_cast<std::uint32_t>(index / extent.x / extent.y)};
}

// Rounded to multiples of 16 so that vector accesses at the end of one never reach the next.
constexpr std::uint32_t rounded(std::uint32_t bytes) { return (bytes + 15U) / 16U * 16U; }

}  // namespace

WarpState state_of(const Warp& warp) {
  const ExecutionContext& context = warp.context;
  const auto special = [&context](SpecialRow row) {
    return std::span<const std::byte>(context.bank[2] + static_cast<std::size_t>(row) * row_bytes, row_bytes);
  };
  return {{context.bank[0], context.program->register_rows * row_bytes},
          {context.predicates, context.program->predicates},
          special(SpecialRow::extension_1),
          special(SpecialRow::local_home)};
}

void copy_local(const Warp& warp, std::vector<std::uint32_t>& words) {
  const ExecutionContext& context = warp.context;
  words.resize(rounded(context.local_bytes) / sizeof(std::uint32_t) * warp_size);
  const auto* const homes = reinterpret_cast<const std::uint32_t*>(state_of(warp).local_homes.data());
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::byte* const word = context.local + homes[i % warp_size] + i / warp_size * row_bytes;
    words[i] = *reinterpret_cast<const std::uint32_t*>(word);
  }
}

void ThreadSetup::begin(const Launch& launch, const ProgramImage& image, DeviceMemory& device, const Place& place,
                        const Slots& slots) {
  launch_ = &launch;
  image_ = &image;
  device_ = &device;
  place_ = place;
  const auto& program = image.program();
  shared_bytes_ = rounded(program.shared_bytes + launch.dynamic_shared_bytes);
  local_bytes_ = rounded(launch.local_bytes());
  initial_state_ = kernel::initial_state(*launch.program);
  grid_reads_ = image.first_reads().rows(0);
  special_.assign(slots.warps * special_rows, Row{});
  for (std::size_t slot = 0; slot < slots.warps; ++slot) set_slot(slot);
  of_blocks_.assign(slots.warps, false);
  predicates_.assign(slots.warps * program.predicates, 0);
  shared_.assign(slots.blocks * shared_bytes_, std::byte{0});
  spawn_ = {};
  fetches_ = nullptr;
  local_.assign(slots.warps * warp_size * local_bytes_, std::byte{0});
}

void ThreadSetup::attach(Warp& warp) {
  const auto& program = image_->program();
  ExecutionContext& context = warp.context;
  context = ExecutionContext{};
  context.bank = {place_.registers + warp.slot * program.register_rows * row_bytes, image_->constants(),
                  reinterpret_cast<std::byte*>(special_.data() + warp.slot * special_rows)};
  context.predicates = predicates_.data() + warp.slot * program.predicates;
  context.memory = device_;
  context.global = view_;
  context.parameters = launch_->parameters.data();
  context.shared = shared_.data() + warp.block_slot * shared_bytes_;
  context.shared_bytes = program.shared_bytes + launch_->dynamic_shared_bytes;
  context.shared_begin = program.names_reserved_shared ? 0 : program.reserved_shared_bytes;
  context.local = local_.data();
  context.local_bytes = launch_->local_bytes();
  context.local_address = place_.local_address;
  context.spawn = spawn_.data();
  context.spawn_bytes = static_cast<std::uint32_t>(spawn_.size());
  context.program = &program;
  context.print = &launch_->print;
  context.fetches = fetches_;
}

void ThreadSetup::set_slot(std::size_t slot) {
  const auto words = [&](SpecialRow row) -> auto& {
    return special_[slot * special_rows + static_cast<std::size_t>(row)].words;
  };
  const auto set = [&](SpecialRow row, std::uint32_t value) { words(row).fill(value); };
  std::iota(words(SpecialRow::laneid).begin(), words(SpecialRow::laneid).end(), 0U);
  set(SpecialRow::ntid_x, launch_->block.x);
  set(SpecialRow::ntid_y, launch_->block.y);
  set(SpecialRow::ntid_z, launch_->block.z);
  set(SpecialRow::nctaid_x, launch_->grid.x);
  set(SpecialRow::nctaid_y, launch_->grid.y);
  set(SpecialRow::nctaid_z, launch_->grid.z);
  set(SpecialRow::nwarpid, static_cast<std::uint32_t>(special_.size() / special_rows));
  set(SpecialRow::smid, place_.sm);
  set(SpecialRow::nsmid, place_.sms);
  set(SpecialRow::gridid, 0);
  set(SpecialRow::envreg1, static_cast<std::uint32_t>(launch_->grid_workspace >> 32U));
  set(SpecialRow::envreg2, static_cast<std::uint32_t>(launch_->grid_workspace));
}

void ThreadSetup::set_threads(Warp& warp, unsigned lane, unsigned count, std::uint64_t block, std::uint32_t thread) {
  const auto& program = image_->program();
  Row* rows = special_.data() + warp.slot * special_rows;
  const auto words = [&](SpecialRow row) { return rows[static_cast<std::size_t>(row)].words.begin() + lane; };
  const auto set = [&](SpecialRow row, std::uint32_t value) { std::fill_n(words(row), count, value); };
  of_blocks_[warp.slot] = true;
  for (unsigned i = 0; i < count; ++i) {
    const Dim3 tid = unflatten(thread + i, launch_->block);
    words(SpecialRow::tid_x)[i] = tid.x;
    words(SpecialRow::tid_y)[i] = tid.y;
    words(SpecialRow::tid_z)[i] = tid.z;
    words(SpecialRow::local_home)[i] = local_home(warp, lane + i);
  }
  const Dim3 ctaid = unflatten(block, launch_->grid);
  set(SpecialRow::ctaid_x, ctaid.x);
  set(SpecialRow::ctaid_y, ctaid.y);
  set(SpecialRow::ctaid_z, ctaid.z);
  set(SpecialRow::warpid, warp.slot);
  set(SpecialRow::extension_0, 0);
  set(SpecialRow::extension_1, initial_state_);

  // Registers and local memory that a program reads before it writes them begin as zero, so that runs are reproducible
  // under every scheme.
  for (std::uint32_t word = 0; word < local_bytes_ / 4; ++word) {
    std::memset(local_.data() + local_home(warp, lane) + word * row_bytes, 0, std::size_t{4} * count);
  }
  auto* registers = reinterpret_cast<std::uint32_t*>(warp.context.bank[0]);
  for (const std::uint32_t row : grid_reads_) std::fill_n(registers + row * warp_size + lane, count, 0U);
  const LaneMask lanes = (count < warp_size ? lane_bit(count) - 1 : all_lanes) << lane;
  for (std::uint32_t i = 0; i < program.predicates; ++i) warp.context.predicates[i] &= ~lanes;
}

void ThreadSetup::set_own_threads(Warp& warp, kernel::Pc pc, const std::array<std::uint32_t, warp_size>& identity) {
  const auto& program = image_->program();
  Row* rows = special_.data() + warp.slot * special_rows;
  const auto words = [&](SpecialRow row) -> auto& { return rows[static_cast<std::size_t>(row)].words; };
  if (of_blocks_[warp.slot]) {
    for (const SpecialRow row : {SpecialRow::tid_x, SpecialRow::tid_y, SpecialRow::tid_z, SpecialRow::ctaid_x,
                                 SpecialRow::ctaid_y, SpecialRow::ctaid_z}) {
      words(row).fill(0);
    }
    of_blocks_[warp.slot] = false;
  }
  for (unsigned lane = 0; lane < warp_size; ++lane) words(SpecialRow::local_home)[lane] = local_home(warp, lane);
  words(SpecialRow::warpid).fill(warp.slot);
  words(SpecialRow::extension_0) = identity;
  words(SpecialRow::extension_1).fill(initial_state_);
  std::fill_n(local_.begin() + local_home(warp, 0), std::size_t{warp_size} * local_bytes_, std::byte{0});
  for (const std::uint32_t row : image_->first_reads().rows(pc)) {
    std::fill_n(warp.context.bank[0] + std::size_t{row} * row_bytes, row_bytes, std::byte{0});
  }
  std::fill_n(warp.context.predicates, program.predicates, LaneMask{0});
}

void ThreadSetup::clear_shared(std::uint32_t block_slot) {
  std::fill_n(shared_.begin() + static_cast<std::ptrdiff_t>(block_slot) * shared_bytes_, shared_bytes_, std::byte{0});
}

}  // namespace reconverge
