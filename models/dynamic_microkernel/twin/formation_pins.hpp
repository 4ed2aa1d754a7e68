#pragma once
/// Dynamic warp formation at its pins: the model, and in every cycle what goes into the block and what has to come out
/// of it. Stands where the model stands; who drives it ends each cycle.

#include <utility>

#include "models/dynamic_microkernel/twin/formation_ports.hpp"
#include "models/dynamic_microkernel/warp_formation.hpp"

namespace reconverge {

/// `Partner`: its `cycle(inputs, outputs)` sees each cycle.
template <typename Partner>
class FormationPins {
 public:
  FormationPins(const char* name, std::size_t lut_lines, std::size_t fifo) : model_(name, lut_lines, fifo) {}

  /// An area of so many parts, from address 0 on, and a partner after reset.
  void begin(std::uint32_t regions, std::unique_ptr<Partner> partner) {
    model_.begin(0, std::uint64_t{regions} * warp_size);
    partner_ = std::move(partner);
    ended_.clear();
    inputs_ = {};
    inputs_.regions = regions;
    open();
  }

  WarpFormation& model() { return model_; }
  Partner& partner() { return *partner_; }

  WarpFormation::Offer offer(kernel::Pc pc, LaneMask lanes) {
    const WarpFormation::Offer offer = model_.offer(pc, lanes);
    inputs_.spawn = true;
    inputs_.pc = pc;
    inputs_.lanes = lanes;
    FormationOutputs::Spawn& spawn = outputs_.spawn.emplace();
    spawn.stall = static_cast<std::uint32_t>(offer.stall);
    spawn.lanes = lanes;
    spawn.completes = offer.full.has_value();
    for (unsigned lane = 0; lane < warp_size; ++lane) spawn.address[lane] = offer.address[lane] / formation_entry_bytes;
    return offer;
  }
  void create(kernel::Pc pc, LaneMask lanes) {
    inputs_.commit = true;
    model_.create(pc, lanes);
  }
  /// The next full warp, of which there is one, has left by `model().full_warps()`; the same of a partial one.
  void popped() { inputs_.pop = true; }
  void forced() { inputs_.force = true; }
  /// A warp has ended.
  void release(const NewWarp& warp) {
    const std::uint32_t region = region_of(warp);
    inputs_.release[region / 64] |= std::uint64_t{1} << region % 64;
    ended_.push_back(warp);
  }

  /// Ends the cycle.
  void step() {
    partner_->cycle(inputs_, outputs_);
    for (const NewWarp& warp : ended_) model_.release(warp);
    ended_.clear();
    inputs_ = FormationInputs{inputs_.regions};
    open();
  }

 private:
  static std::uint32_t region_of(const NewWarp& warp) { return warp.first() / formation_entry_bytes / warp_size; }
  static std::optional<FormationOutputs::Warp> pins_of(const std::optional<NewWarp>& warp) {
    if (!warp) return std::nullopt;
    return FormationOutputs::Warp{warp->pc, region_of(*warp), warp->threads};
  }

  /// What the next cycle begins with.
  void open() {
    outputs_ = {};
    outputs_.full = pins_of(model_.next_full());
    outputs_.partial = pins_of(model_.next_partial());
  }

  WarpFormation model_;
  std::unique_ptr<Partner> partner_;
  std::vector<NewWarp> ended_;
  FormationInputs inputs_;
  FormationOutputs outputs_;
};

}  // namespace reconverge
