// SPDX-License-Identifier: Apache-2.0
#include "models/schemes/dynamic_microkernel/warp_formation.hpp"

#include "models/protocols/ask.hpp"

namespace reconverge {

WarpFormation::WarpFormation(sc_core::sc_module_name name, std::size_t lut_lines, std::size_t fifo)
    : Formation(name),
      lut_("lut", lut_lines),
      adder_("adder"),
      pool_("pool"),
      fifo_("fifo", fifo),
      lookups_("lookups"),
      sums_("sums"),
      pushes_("pushes"),
      regions_("regions") {
  lookups_.bind(lut_.lookups);
  lut_.regions.bind(pool_.regions);
  sums_.bind(adder_.sums);
  pushes_.bind(fifo_.pushes);
  regions_.bind(pool_.regions);
}

void WarpFormation::begin(SpawnAddress first, std::uint64_t entries) {
  lut_.begin();
  pool_.begin(first, entries);
  fifo_.begin();
}

SpawnLookup WarpFormation::look_up(kernel::Pc pc, LaneMask lanes, bool commit) {
  return ask(lookups_, SpawnLookup{pc, count_lanes(lanes), commit});
}

WarpFormation::Offer WarpFormation::offer(kernel::Pc pc, LaneMask lanes) {
  const SpawnLookup line = look_up(pc, lanes, false);
  if (line.no_room) return {Stall::area};
  if (line.full && fifo_.full()) return {Stall::fifo};
  ThreadAddresses threads{lanes, line.first, line.second, warp_size - line.count};
  send(sums_, threads);
  return {Stall::none, threads.address, line.full};
}

void WarpFormation::create(kernel::Pc pc, LaneMask lanes) {
  const SpawnLookup line = look_up(pc, lanes, true);
  if (!line.full) return;
  ask(pushes_, WarpPush{*line.full});
}

void WarpFormation::release(const NewWarp& warp) {
  ask(regions_, FormationRegion{FormationRegion::Kind::release, 0, warp.first()});
}

}  // namespace reconverge
