// SPDX-License-Identifier: Apache-2.0
#include "testbenches/reference/scalar_thread.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

#include "models/core/lane_mask.hpp"

namespace reconverge::reference {

namespace {

using kernel::SpecialRow;

// x varies fastest.
Dim3 place_in(const Dim3& extent, std::uint64_t index) {
  Dim3 place;
  place.x = static_cast<std::uint32_t>(index % extent.x);
  index /= extent.x;
  place.y = static_cast<std::uint32_t>(index % extent.y);
  place.z = static_cast<std::uint32_t>(index / extent.y);
  return place;
}

}  // namespace

ScalarThread start_thread(const Launch& launch, std::uint64_t block, std::uint32_t thread) {
  const kernel::Program& program = *launch.program;
  ScalarThread result;
  result.words.assign(program.register_rows, 0);
  result.predicates.assign(program.predicates, false);
  result.local.assign(launch.local_bytes(), std::byte{0});
  const auto set = [&](SpecialRow row, std::uint32_t value) { result.special[static_cast<std::size_t>(row)] = value; };
  const auto set_three = [&](SpecialRow x, const Dim3& value) {
    const auto first = static_cast<std::size_t>(x);
    result.special[first] = value.x;
    result.special[first + 1] = value.y;
    result.special[first + 2] = value.z;
  };
  set_three(SpecialRow::tid_x, place_in(launch.block, thread));
  set_three(SpecialRow::ctaid_x, place_in(launch.grid, block));
  set_three(SpecialRow::ntid_x, launch.block);
  set_three(SpecialRow::nctaid_x, launch.grid);
  set(SpecialRow::laneid, thread % warp_size);
  set(SpecialRow::warpid, thread / warp_size);
  set(SpecialRow::nwarpid, launch.warps_per_block());
  set(SpecialRow::nsmid, 1);
  set(SpecialRow::envreg1, static_cast<std::uint32_t>(launch.grid_workspace >> 32U));
  set(SpecialRow::envreg2, static_cast<std::uint32_t>(launch.grid_workspace));
  set(SpecialRow::extension_1, kernel::initial_state(*launch.program));
  const auto& extensions = program.extensions;
  const bool has_state = std::any_of(extensions.begin(), extensions.end(),
                                     [](const auto& one) { return one.space == kernel::Space::spawn; });
  if (has_state) set(SpecialRow::extension_0, state_address);
  return result;
}

void begin_child(ScalarThread& thread) {
  std::fill(thread.words.begin(), thread.words.end(), 0);
  std::fill(thread.predicates.begin(), thread.predicates.end(), false);
  std::fill(thread.local.begin(), thread.local.end(), std::byte{0});
  // It stays in the lane of its parent: votes of children are between children of one warp of the grid.
  for (auto row = static_cast<std::size_t>(SpecialRow::tid_x); row <= static_cast<std::size_t>(SpecialRow::warpid);
       ++row) {
    if (row != static_cast<std::size_t>(SpecialRow::laneid)) thread.special[row] = 0;
  }
  thread.special[static_cast<std::size_t>(SpecialRow::extension_0)] = formation_address;
  thread.spawn.resize(std::max<std::size_t>(thread.spawn.size(), formation_address + sizeof thread.child_state));
  std::memcpy(thread.spawn.data() + formation_address, &thread.child_state, sizeof thread.child_state);
  thread.pc = std::exchange(thread.child, kernel::no_pc);
}

}  // namespace reconverge::reference
