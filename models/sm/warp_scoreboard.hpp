// SPDX-License-Identifier: Apache-2.0
#pragma once
/// The scoreboard for schemes in which a register becomes ready for all lanes of a warp at once.

#include <algorithm>

#include "models/sm/scoreboard.hpp"

namespace reconverge {

class WarpScoreboard final : public Scoreboard {
 public:
  /// `one_by_one`: an instruction waits for the results of all earlier instructions.
  WarpScoreboard(sc_core::sc_module_name name, std::size_t warp_slots, bool one_by_one);

  void begin(const ProgramImage& image) override;
  void clear(std::uint32_t slot, LaneMask lanes) override;
  void serve(ScoreboardRequest& request);

 private:
  void b_transport(ScoreboardRequest& request, sc_core::sc_time& /*delay*/) override { serve(request); }
  void b_transport(ReadinessRequest& request, sc_core::sc_time& delay) override;
  /// The latest result that an instruction of the warp needs.
  std::uint64_t latest(std::uint32_t slot, const DecodedInstruction& next) const;

  std::size_t warp_slots_;
  bool one_by_one_;
  const ProgramImage* image_ = nullptr;
  std::size_t tracked_ = 0;              // registers of a warp, plus one always ready, plus one that none waits for
  std::vector<std::uint64_t> ready_;     // by warp and register
  std::vector<OutstandingLoads> loads_;  // by warp
  std::vector<Cycle> last_;              // by warp: when the pipe results of the last instruction are ready
};

inline std::uint64_t WarpScoreboard::latest(std::uint32_t slot, const DecodedInstruction& next) const {
  if (one_by_one_) [[unlikely]]
    return std::max(RegisterReady::word(last_[slot], false), loads_[slot].word());
  const std::uint64_t* ready = ready_.data() + slot * tracked_;
  std::uint64_t latest = 0;
  const Dependencies& needed = next.dependencies;
  for (std::size_t i = 0; i < needed.count; i += Dependencies::together) {
    const std::uint16_t* numbers = needed.registers.data() + i;
    latest = std::max({latest, ready[numbers[0]], ready[numbers[1]], ready[numbers[2]], ready[numbers[3]]});
  }
  return next.flow == Flow::exit ? std::max(latest, loads_[slot].word()) : latest;
}

inline void WarpScoreboard::serve(ScoreboardRequest& request) {
  if (request.issued != nullptr) {
    std::uint64_t* ready = ready_.data() + request.slot * tracked_;
    const std::uint64_t word = RegisterReady::word(request);
    const Dependencies& changed = request.issued->dependencies;
    // Most instructions write at most two registers. The host would not predict the end of a loop over them.
    const std::size_t unused = tracked_ - 1;
    ready[changed.written > 0 ? changed.registers[0] : unused] = word;
    ready[changed.written > 1 ? changed.registers[1] : unused] = word;
    for (std::size_t i = 2; i < changed.written; ++i) ready[changed.registers[i]] = word;
    if (one_by_one_) [[unlikely]] {
      if (!request.from_memory) last_[request.slot] = request.result;
    }
    if (request.from_memory && changed.written != 0) {
      loads_[request.slot].note(request.result, request.written_back);
    }
  }
  if (request.next != nullptr) answer(request, latest(request.slot, *request.next));
}

}  // namespace reconverge
