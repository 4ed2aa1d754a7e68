// SPDX-License-Identifier: Apache-2.0
#pragma once
/// The scoreboard for schemes in which a register becomes ready for all lanes of a warp at once.

#include "models/sm/scoreboard.hpp"

namespace reconverge {

class WarpScoreboard final : public Scoreboard {
 public:
  /// `one_by_one`: an instruction waits for the results of all earlier instructions.
  WarpScoreboard(sc_core::sc_module_name name, std::size_t warp_slots, bool one_by_one);

  void begin(const ProgramImage& image) override;
  void clear(std::uint32_t slot, LaneMask lanes) override;

 private:
  void b_transport(ScoreboardRequest& request, sc_core::sc_time& delay) override;
  void b_transport(ReadinessRequest& request, sc_core::sc_time& delay) override;
  /// The latest result that an instruction of the warp needs.
  [[gnu::always_inline]] inline std::uint64_t latest(std::uint32_t slot, const DecodedInstruction& next) const;

  std::size_t warp_slots_;
  bool one_by_one_;
  const ProgramImage* image_ = nullptr;
  std::size_t tracked_ = 0;              // registers of a warp, plus one always ready, plus one that none waits for
  std::vector<std::uint64_t> ready_;     // by warp and register
  std::vector<OutstandingLoads> loads_;  // by warp
  std::vector<Cycle> last_;              // by warp: when the pipe results of the last instruction are ready
};

}  // namespace reconverge
