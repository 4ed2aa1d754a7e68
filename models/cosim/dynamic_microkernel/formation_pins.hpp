// SPDX-License-Identifier: Apache-2.0
#pragma once
/// Dynamic warp formation at its pins: the model, and a partner that gets the inputs and the expected outputs of every
/// cycle. Has the interface of the model.

#include <functional>
#include <memory>
#include <utility>

#include "models/cosim/dynamic_microkernel/formation_values.hpp"
#include "models/cosim/twin/probe.hpp"
#include "models/protocols/ask.hpp"
#include "models/schemes/dynamic_microkernel/warp_formation.hpp"

namespace reconverge {

/// `Partner`: its `cycle(inputs, outputs)` is called in each cycle, its `within(inputs, outputs)` for a spawn that
/// another spawn replaces in the same cycle.
template <typename Partner>
class FormationPins final : public Formation, private ControlTarget<WarpPop>, private ControlTarget<PartialWarp> {
 public:
  /// Makes a partner after reset, for an area of `regions` parts.
  using MakePartner = std::function<std::unique_ptr<Partner>(std::uint32_t regions)>;

  FormationPins(sc_core::sc_module_name name, std::size_t lut_lines, std::size_t fifo, MakePartner make)
      : Formation(name),
        model_("model", lut_lines, fifo),
        full_warps_("full_warps"),
        partial_warps_("partial_warps"),
        pops_("pops"),
        forces_("forces"),
        make_(std::move(make)) {
    full_warps_.bind(static_cast<ControlTarget<WarpPop>&>(*this));
    partial_warps_.bind(static_cast<ControlTarget<PartialWarp>&>(*this));
    pops_.bind(model_.full_warps());
    forces_.bind(model_.partial_warps());
  }

  void begin(SpawnAddress first, std::uint64_t entries) override {
    first_ = first;
    model_.begin(first, entries);
    inputs_ = {};
    inputs_.regions = static_cast<std::uint32_t>(entries / warp_size);
    partner_ = entries == 0 ? nullptr : make_(inputs_.regions);
    if constexpr (requires(twin::Signals & signals) { partner_->show(signals); }) {
      if (partner_) probe_.watch(*partner_);
    }
    open();
  }

  const WarpFormation& model() const { return model_; }
  Partner& partner() { return *partner_; }

  Offer offer(kernel::Pc pc, LaneMask lanes) override {
    if (inputs_.spawn && (inputs_.pc != pc || inputs_.lanes != lanes)) partner_->within(inputs_, outputs_);
    const Offer offer = model_.offer(pc, lanes);
    inputs_.spawn = true;
    inputs_.pc = pc;
    inputs_.lanes = lanes;
    FormationSpawn& spawn = outputs_.spawn.emplace();
    spawn.stall = static_cast<std::uint32_t>(offer.stall);
    spawn.lanes = lanes;
    spawn.completes = offer.full.has_value();
    for (unsigned lane = 0; lane < warp_size; ++lane) spawn.address[lane] = entry_at(offer.address[lane]);
    return offer;
  }
  void create(kernel::Pc pc, LaneMask lanes) override {
    inputs_.commit = true;
    model_.create(pc, lanes);
  }
  void release(const NewWarp& warp) override {
    const std::uint32_t region = region_of(warp);
    inputs_.release[region / 64] |= std::uint64_t{1} << region % 64;
    model_.release(warp);
  }
  void step() override {
    partner_->cycle(inputs_, outputs_);
    inputs_ = FormationInputs{inputs_.regions};
    open();
  }

  ControlTargetSocket<WarpPop>& full_warps() override { return full_warps_; }
  ControlTargetSocket<PartialWarp>& partial_warps() override { return partial_warps_; }
  bool has_full() const override { return model_.has_full(); }
  bool has_partial() const override { return model_.has_partial(); }

 private:
  void b_transport(WarpPop& pop, sc_core::sc_time& /*delay*/) override {
    send(pops_, pop);
    inputs_.pop = pop.warp.has_value();
  }
  void b_transport(PartialWarp& partial, sc_core::sc_time& /*delay*/) override {
    send(forces_, partial);
    inputs_.force = partial.warp.has_value();
  }

  std::uint32_t entry_at(SpawnAddress address) const { return (address - first_) / formation_entry_bytes; }
  std::uint32_t region_of(const NewWarp& warp) const { return entry_at(warp.first()) / warp_size; }
  std::optional<FormationWarp> pins_of(const std::optional<NewWarp>& warp) const {
    if (!warp) return std::nullopt;
    return FormationWarp{warp->pc, region_of(*warp), warp->threads};
  }

  /// Sets the outputs at the beginning of the next cycle.
  void open() {
    outputs_ = {};
    outputs_.full = pins_of(model_.next_full());
    outputs_.partial = pins_of(model_.next_partial());
  }

  WarpFormation model_;
  ControlTargetSocket<WarpPop> full_warps_;
  ControlTargetSocket<PartialWarp> partial_warps_;
  ControlInitiatorSocket<FormationPins, WarpPop> pops_;
  ControlInitiatorSocket<FormationPins, PartialWarp> forces_;
  MakePartner make_;
  twin::Probe probe_;
  std::unique_ptr<Partner> partner_;
  SpawnAddress first_ = 0;
  FormationInputs inputs_;
  FormationOutputs outputs_;
};

}  // namespace reconverge
