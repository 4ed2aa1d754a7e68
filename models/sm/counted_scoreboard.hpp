// SPDX-License-Identifier: Apache-2.0
#pragma once
/// Counted scoreboards, as in machines whose compiler tags instructions (`&wr=sb5`, `&req=sb5` in Damani et al., "GPU
/// Subwarp Interleaving", HPCA 2022, section III and Fig. 9). The compiler assigns each operation of unknown latency to
/// a counter. The operation increments the counter, and its result decrements it; a consumer issues when the counter is
/// zero. If several operations use one counter, a consumer waits for all of them. Each thread has separate counters, so
/// that subwarps do not wait for each other's operations (section III-C).
///
/// Results of fixed latency need no counter: the compiler schedules for them, and ThreadScoreboard tracks them.

#include <array>
#include <vector>

#include "models/kernel/analysis/scoreboard_allocation.hpp"
#include "models/sm/thread_scoreboard.hpp"

namespace reconverge {

class CountedScoreboard final : public ThreadScoreboard {
 public:
  /// `counters`: number of counters of a warp, 1 to 32.
  CountedScoreboard(sc_core::sc_module_name name, std::size_t warp_slots, unsigned counters);

  void begin(const ProgramImage& image) override;
  void clear(std::uint32_t slot, LaneMask lanes) override;

 private:
  /// A counter of one thread.
  struct Counter {
    std::uint32_t unknown = 0;           ///< operations whose result time is not known yet
    std::uint32_t unknown_of_units = 0;  ///< the asynchronous instructions of schemes among these
    std::uint64_t until = 0;             ///< when the other operations complete, in the format of RegisterReady

    void note(std::uint64_t word, bool written_back);
    std::uint64_t zero() const {
      return unknown != 0 ? RegisterReady::word(never, true, unknown_of_units != 0) : until;
    }
  };
  using Row = std::array<Counter, warp_size>;

  void b_transport(ScoreboardRequest& request, sc_core::sc_time& delay) override;
  void b_transport(ReadinessRequest& request, sc_core::sc_time& delay) override;
  const kernel::ScoreboardUse& use_of(const DecodedInstruction& instruction) const;
  /// When a thread can issue the instruction, in the format of RegisterReady.
  std::uint64_t when(std::size_t home, unsigned lane, const DecodedInstruction& next) const;

  unsigned count_;
  std::vector<kernel::ScoreboardUse> uses_;  // by pc
  std::vector<Row> counters_;                // by warp slot and counter
};

}  // namespace reconverge
