// SPDX-License-Identifier: Apache-2.0
#pragma once
/// The RTL of dynamic warp formation in place of its model: the RTL makes all decisions.

#include <memory>

#include "blocks/dynamic_microkernel.hpp"
#include "models/cosim/dynamic_microkernel/formation_ports.hpp"
#include "models/cosim/twin/probe.hpp"
#include "models/schemes/dynamic_microkernel/formation.hpp"

namespace reconverge {

class RtlFormation final : public Formation, private ControlTarget<WarpPop>, private ControlTarget<PartialWarp> {
 public:
  RtlFormation(sc_core::sc_module_name name, const DynamicMicrokernelParameters& parameters);

  /// Throws ParameterError if no such RTL was built.
  void begin(SpawnAddress first, std::uint64_t entries) override;
  Offer offer(kernel::Pc pc, LaneMask lanes) override;
  void create(kernel::Pc pc, LaneMask lanes) override;
  void release(const NewWarp& warp) override;
  void step() override;

  ControlTargetSocket<WarpPop>& full_warps() override { return full_warps_; }
  ControlTargetSocket<PartialWarp>& partial_warps() override { return partial_warps_; }
  bool has_full() const override { return outputs_->full.has_value(); }
  bool has_partial() const override { return outputs_->partial.has_value(); }

 private:
  void b_transport(WarpPop& pop, sc_core::sc_time& delay) override;
  void b_transport(PartialWarp& partial, sc_core::sc_time& delay) override;
  SpawnAddress address_of(std::uint32_t entry) const { return first_ + entry * formation_entry_bytes; }
  NewWarp warp_at(kernel::Pc pc, std::uint32_t region, std::uint32_t threads) const {
    return {pc, address_of(region * warp_size + threads - 1), threads};
  }

  DynamicMicrokernelParameters parameters_;
  ControlTargetSocket<WarpPop> full_warps_;
  ControlTargetSocket<PartialWarp> partial_warps_;
  std::unique_ptr<FormationRtl> rtl_;
  twin::Probe probe_;
  const FormationOutputs* outputs_ = nullptr;
  FormationInputs inputs_;
  SpawnAddress first_ = 0;
};

}  // namespace reconverge
