// SPDX-License-Identifier: Apache-2.0
#include "models/cosim/dynamic_microkernel/rtl_formation.hpp"

namespace reconverge {

RtlFormation::RtlFormation(sc_core::sc_module_name name, const DynamicMicrokernelParameters& parameters)
    : Formation(name), parameters_(parameters), full_warps_("full_warps"), partial_warps_("partial_warps") {
  full_warps_.bind(static_cast<ControlTarget<WarpPop>&>(*this));
  partial_warps_.bind(static_cast<ControlTarget<PartialWarp>&>(*this));
}

void RtlFormation::begin(SpawnAddress first, std::uint64_t entries) {
  if (entries == 0) return;
  first_ = first;
  inputs_ = {};
  inputs_.regions = static_cast<std::uint32_t>(entries / warp_size);
  rtl_ = twin::make_rtl<FormationPorts>({parameters_.lut_lines, parameters_.fifo, inputs_.regions});
  probe_.watch(*rtl_);
  outputs_ = &rtl_->settle(inputs_);
}

Formation::Offer RtlFormation::offer(kernel::Pc pc, LaneMask lanes) {
  inputs_.spawn = true;
  inputs_.pc = pc;
  inputs_.lanes = lanes;
  rtl_->settle(inputs_);
  const FormationSpawn& spawn = *outputs_->spawn;
  Offer offer{static_cast<Stall>(spawn.stall)};
  if (offer.stall != Stall::none) return offer;
  for_each_lane(lanes, [&](unsigned lane) { offer.address[lane] = address_of(spawn.address[lane]); });
  if (spawn.completes) offer.full = warp_at(pc, spawn.address[first_lane(lanes)] / warp_size, warp_size);
  return offer;
}

void RtlFormation::create(kernel::Pc /*pc*/, LaneMask /*lanes*/) { inputs_.commit = true; }

void RtlFormation::release(const NewWarp& warp) {
  const std::uint32_t region = (warp.first() - first_) / formation_entry_bytes / warp_size;
  inputs_.release[region / 64] |= std::uint64_t{1} << region % 64;
}

void RtlFormation::step() {
  rtl_->settle(inputs_);
  rtl_->clock();
  rtl_->look();
  inputs_ = FormationInputs{inputs_.regions};
}

void RtlFormation::b_transport(WarpPop& pop, sc_core::sc_time& /*delay*/) {
  if (!outputs_->full) return;
  pop.warp = warp_at(outputs_->full->pc, outputs_->full->region, warp_size);
  inputs_.pop = true;
}

void RtlFormation::b_transport(PartialWarp& partial, sc_core::sc_time& /*delay*/) {
  if (!outputs_->partial) return;
  partial.warp = warp_at(outputs_->partial->pc, outputs_->partial->region, outputs_->partial->threads);
  inputs_.force = true;
}

}  // namespace reconverge
