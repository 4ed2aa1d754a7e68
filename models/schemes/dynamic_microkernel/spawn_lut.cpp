// SPDX-License-Identifier: Apache-2.0
#include "models/schemes/dynamic_microkernel/spawn_lut.hpp"

#include <algorithm>

#include "models/protocols/ask.hpp"

namespace reconverge {

SpawnLut::SpawnLut(sc_core::sc_module_name name, std::size_t lines)
    : sc_module(name), lookups("lookups"), partial_warps("partial_warps"), regions("regions"), lines_(lines) {
  lookups.bind(static_cast<ControlTarget<SpawnLookup>&>(*this));
  partial_warps.bind(static_cast<ControlTarget<PartialWarp>&>(*this));
}

void SpawnLut::begin() {
  std::ranges::fill(lines_, Line{});
  partial_ = 0;
}

std::uint32_t SpawnLut::partial_threads() const {
  std::uint32_t threads = 0;
  for (const Line& line : lines_) threads += line.count;
  return threads;
}

SpawnLut::Line* SpawnLut::find(kernel::Pc pc) {
  const auto with = [this](kernel::Pc address) {
    const auto found = std::ranges::find(lines_, address, &Line::pc);
    return found == lines_.end() ? nullptr : &*found;
  };
  Line* const line = with(pc);
  return line != nullptr ? line : with(kernel::no_pc);
}

void SpawnLut::b_transport(SpawnLookup& lookup, sc_core::sc_time& /*delay*/) {
  Line* const kept = find(lookup.pc);
  lookup.no_room = kept == nullptr;
  if (lookup.no_room) return;
  Line line = *kept;
  line.pc = lookup.pc;
  const FormationRegion regions_left = ask(regions, FormationRegion{});
  unsigned taken = 0;
  // Takes at most two regions of the area. If no region is free, the address remains `none`.
  const auto provide = [&](SpawnAddress& address) {
    if (address != Line::none || taken == regions_left.next.size() || !regions_left.next[taken]) return;
    address = *regions_left.next[taken++];
  };
  const std::uint32_t sum = line.count + lookup.threads;
  provide(line.first);
  provide(line.second);  // in advance, if possible
  lookup.no_room = line.first == Line::none || (sum > warp_size && line.second == Line::none);
  if (lookup.no_room) return;
  lookup.first = line.first;
  lookup.second = line.second;
  lookup.count = line.count;
  if (sum >= warp_size) {
    const SpawnAddress last = line.first + (warp_size - line.count - 1) * formation_entry_bytes;
    lookup.full = NewWarp{line.pc, last, warp_size};
  }
  if (!lookup.commit) return;
  if (sum < warp_size) {
    line.first += lookup.threads * formation_entry_bytes;
    line.count = sum;
  } else {
    line.count = sum - warp_size;
    line.first = line.second == Line::none ? Line::none : line.second + line.count * formation_entry_bytes;
    line.second = Line::none;
    provide(line.second);
  }
  partial_ += line.count != 0 ? 1 : 0;
  partial_ -= kept->count != 0 ? 1 : 0;
  *kept = line;
  if (taken != 0) ask(regions, FormationRegion{FormationRegion::Kind::take, taken});
}

const SpawnLut::Line* SpawnLut::lowest() const {
  const Line* lowest = nullptr;
  for (const Line& line : lines_) {
    if (line.count != 0 && (lowest == nullptr || line.pc < lowest->pc)) lowest = &line;
  }
  return lowest;
}

std::optional<NewWarp> SpawnLut::lowest_partial() const {
  const Line* const line = lowest();
  if (line == nullptr) return std::nullopt;
  return NewWarp{line->pc, line->first - formation_entry_bytes, line->count};
}

void SpawnLut::b_transport(PartialWarp& partial, sc_core::sc_time& /*delay*/) {
  partial.warp = lowest_partial();
  if (!partial.warp) return;
  Line& line = lines_[static_cast<std::size_t>(lowest() - lines_.data())];
  line.count = 0;
  --partial_;
  line.first = line.second;
  line.second = Line::none;
}

}  // namespace reconverge
