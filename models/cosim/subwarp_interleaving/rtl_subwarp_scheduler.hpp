// SPDX-License-Identifier: Apache-2.0
#pragma once
/// The RTL of a subwarp scheduler in place of its model: the RTL makes all decisions.

#include "models/cosim/subwarp_interleaving/subwarp_ports.hpp"
#include "models/cosim/twin/probe.hpp"
#include "models/schemes/subwarp_interleaving/subwarp_unit.hpp"

namespace reconverge {

class RtlSubwarpScheduler final : public SubwarpUnit {
 public:
  /// Throws ParameterError if no such RTL was built.
  RtlSubwarpScheduler(sc_core::sc_module_name name, std::uint32_t warps, unsigned entries, SelectTrigger trigger);

  void begin() override;
  void set(std::uint32_t warp, EntryMask entries, ThreadState state) override {
    inputs_.tell_set(warp, entries, state);
  }
  bool can_stall(std::uint32_t warp) const override { return inputs_.stall == 0 || inputs_.stall_warp == warp; }
  void stall(std::uint32_t warp, EntryMask entries, std::uint8_t scoreboard, std::uint8_t count) override {
    inputs_.tell_stall(warp, entries, scoreboard, count);
  }
  void write_back(unsigned port, const WriteBack& result) override { inputs_.results.at(port) = result; }
  void waits(std::uint32_t warp, bool waits) override { inputs_.tell_waits(warp, waits); }
  std::optional<SubwarpChoice> offer() override { return outputs_->offer; }
  void take(EntryMask peers) override { inputs_.tell_take(peers); }
  void step() override;
  EntryMask entries_in(std::uint32_t warp, ThreadState state) const override;

 private:
  std::uint32_t warps_;
  unsigned entries_;
  std::unique_ptr<SubwarpRtl> rtl_;
  twin::Probe probe_;
  const SubwarpOutputs* outputs_ = nullptr;
  SubwarpInputs inputs_;
};

}  // namespace reconverge
