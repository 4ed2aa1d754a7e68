// SPDX-License-Identifier: Apache-2.0
#pragma once
/// A subwarp scheduler at its pins: the model, and a partner that gets the inputs and the expected outputs of every
/// cycle. Has the interface of the model.

#include <functional>
#include <memory>
#include <utility>

#include "models/cosim/subwarp_interleaving/subwarp_values.hpp"
#include "models/cosim/twin/probe.hpp"
#include "models/schemes/subwarp_interleaving/subwarp_scheduler.hpp"

namespace reconverge {

/// `Partner`: its `cycle(inputs, outputs)` is called in each cycle.
template <typename Partner>
class SubwarpPins final : public SubwarpUnit {
 public:
  /// Makes a partner after reset.
  using MakePartner = std::function<std::unique_ptr<Partner>()>;

  SubwarpPins(sc_core::sc_module_name name, std::uint32_t warps, unsigned entries, SelectTrigger trigger,
              MakePartner make)
      : SubwarpUnit(name), model_("model", warps, entries, trigger), make_(std::move(make)) {
    inputs_.trigger = trigger;
    begin();
  }

  const SubwarpScheduler& model() const { return model_; }
  Partner& partner() { return *partner_; }

  void begin() override {
    model_.begin();
    partner_ = make_();
    if constexpr (requires(twin::Signals & signals) { partner_->show(signals); }) probe_.watch(*partner_);
    inputs_.step();
    inputs_.waits = 0;
  }

  void set(std::uint32_t warp, EntryMask entries, ThreadState state) override {
    model_.set(warp, entries, state);
    inputs_.tell_set(warp, entries, state);
  }
  bool can_stall(std::uint32_t warp) const override { return model_.can_stall(warp); }
  void stall(std::uint32_t warp, EntryMask entries, std::uint8_t scoreboard, std::uint8_t count) override {
    model_.stall(warp, entries, scoreboard, count);
    inputs_.tell_stall(warp, entries, scoreboard, count);
  }
  void write_back(unsigned port, const WriteBack& result) override {
    model_.write_back(port, result);
    inputs_.results.at(port) = result;
  }
  void waits(std::uint32_t warp, bool waits) override {
    model_.waits(warp, waits);
    inputs_.tell_waits(warp, waits);
  }
  std::optional<SubwarpChoice> offer() override { return model_.offer(); }
  void take(EntryMask peers) override {
    model_.take(peers);
    inputs_.tell_take(peers);
  }
  void step() override {
    look();
    model_.step();
    partner_->cycle(inputs_, outputs_);
    inputs_.step();
  }
  EntryMask entries_in(std::uint32_t warp, ThreadState state) const override { return model_.entries_in(warp, state); }

 private:
  /// Sets the expected outputs of this cycle.
  void look() {
    outputs_.offer = model_.offer();
    for (std::uint32_t warp = 0; warp < model_.table().warps(); ++warp) {
      outputs_.states[warp] = {};
      for (unsigned number = 0; number < thread_states; ++number) {
        const auto state = static_cast<ThreadState>(number);
        for (std::size_t bit = 0; bit < 3; ++bit) {
          outputs_.states[warp][bit] |= plane_of(state, bit) & model_.entries_in(warp, state);
        }
      }
    }
  }

  SubwarpScheduler model_;
  MakePartner make_;
  twin::Probe probe_;
  std::unique_ptr<Partner> partner_;
  SubwarpInputs inputs_;
  SubwarpOutputs outputs_;
};

}  // namespace reconverge
