// SPDX-License-Identifier: Apache-2.0
#pragma once
/// Subwarp interleaving (Damani et al., "GPU Subwarp Interleaving", HPCA 2022) as the divergence scheme of an SM:
/// convergence barriers; when a subwarp stalls for a load, the warp switches to another subwarp.
///
/// Each scheduler has a SubwarpUnit with thread status tables, wakeup and selection. The unit is notified of thread
/// states, and of results in the cycle in which they are written. The SM issues what the unit selects.
///
/// The subwarp that a warp ran last stays current while it is STALLED: if its results arrive before another subwarp is
/// taken, it continues without a penalty.

#include <bit>
#include <functional>
#include <memory>
#include <queue>
#include <random>
#include <tuple>
#include <vector>

#include "blocks/subwarp_interleaving.hpp"
#include "models/kernel/analysis/scoreboard_allocation.hpp"
#include "models/protocols/scheme_kind.hpp"
#include "models/schemes/subwarp_interleaving/entry_map.hpp"
#include "models/schemes/subwarp_interleaving/stall_estimate.hpp"
#include "models/schemes/subwarp_interleaving/subwarp_unit.hpp"
#include "models/schemes/subwarp_interleaving/thread_counters.hpp"
#include "models/schemes/thread_states/barrier_scheme.hpp"

namespace reconverge {

class SubwarpInterleaving final : public BarrierScheme {
 public:
  SubwarpInterleaving(sc_core::sc_module_name name, const SchemePlace& place,
                      const SubwarpInterleavingParameters& parameters);

  void begin(const SchemeLaunch& launch) override;
  void archive(StateArchive& state) override { state(random_, results_); }
  void tick(Cycle now) override;
  void add_statistics(Statistics& totals) const override;

  /// The state of a thread in its scheduler's unit.
  ThreadState state_of(std::uint32_t slot, unsigned lane) const;
  /// Sets a callback for the end of each cycle in which a unit was notified.
  void watch(std::function<void(Cycle)> watcher) { watcher_ = std::move(watcher); }

 private:
  /// A STALLED subwarp, as notified to the unit.
  struct StalledSubwarp {
    LaneMask lanes = 0;
    std::uint8_t scoreboard = 0;
  };
  /// The states of a warp's entries, as notified to the unit; all other entries are INACTIVE.
  struct Told {
    EntryMask active = 0, ready = 0, blocked = 0, stalled = 0;
  };
  struct Own {
    explicit Own(unsigned entries) : entries_map(entries) {}

    EntryMap entries_map;
    Told told;
    ThreadCounters real;       // results that have not been written
    ThreadCounters announced;  // results that the unit has not received
    std::vector<StalledSubwarp> stalled;
    bool current_stalled = false;           // the subwarp that is ACTIVE in `threads` is STALLED in the unit
    bool waits = false;                     // the unit has been notified that the subwarp cannot issue
    kernel::Pc stalled_at = kernel::no_pc;  // pc at which the ACTIVE subwarp waits for loads; no_pc: it does not wait
    Cycle stalls_from = 0;                  // first cycle in which it waits
    std::uint64_t turn = 0;                 // the turn in which `loads` were issued
    std::uint64_t loads = 0;
  };
  struct Result {
    Cycle written = 0;
    std::uint64_t number = 0;  // orders the results of one cycle by the time at which they became known
    std::uint32_t slot = 0;
    std::uint8_t scoreboard = 0;
    LaneMask lanes = 0;

    bool operator>(const Result& other) const {
      return std::tie(written, number) > std::tie(other.written, other.number);
    }
  };
  /// A scheduler with its warps.
  struct Block {
    std::unique_ptr<SubwarpUnit> unit;
    std::priority_queue<Result, std::vector<Result>, std::greater<>> results;
    std::queue<Result> broadcasts;  // broadcasts of results that have been written
    // Masks of warps, by number in the sub-core:
    std::uint64_t waiting = 0;  // the ACTIVE subwarp waits for loads
    std::uint64_t woken = 0;    // a subwarp has become READY
    std::uint64_t stalled = 0;  // the unit may have STALLED entries
    bool said = false;
  };

  void start(SchemeRequest& request) override;
  void stall(SchemeRequest& request) override;
  void load(SchemeRequest& request) override;
  void result(SchemeRequest& request) override;
  void choose(SchemeRequest& request) override;
  void settled(const SchemeRequest& request) override;
  bool can_activate(std::uint32_t slot) const override;
  std::size_t first_side(const SchemeRequest& request, std::span<const WarpThreads::Side> sides) override;

  std::size_t blocks() const { return blocks_.size(); }
  Block& block_of(std::uint32_t slot) { return blocks_[slot % blocks()]; }
  std::uint32_t index_of(std::uint32_t slot) const { return slot / static_cast<std::uint32_t>(blocks()); }
  std::uint64_t bit_of(std::uint32_t slot) const { return std::uint64_t{1} << index_of(slot); }
  /// Calls `visit(slot)` for each of `warps` of a sub-core, lowest first.
  template <typename Visit>
  void for_each_slot(const Block& block, std::uint64_t warps, Visit&& visit) {
    const auto number = static_cast<std::size_t>(&block - blocks_.data());
    for (; warps != 0; warps &= warps - 1) {
      visit(static_cast<std::uint32_t>(static_cast<std::size_t>(std::countr_zero(warps)) * blocks() + number));
    }
  }
  /// Whether another subwarp of the warp is READY, or will be.
  bool has_others(std::uint32_t slot) const;
  /// Whether the ACTIVE subwarp waits for a result.
  bool is_waiting(std::uint32_t slot) const;
  /// The scoreboard that the ACTIVE subwarp waits for, the one with the most outstanding results.
  std::uint8_t awaited(std::uint32_t slot) const;
  /// Notifies the unit of the states of the warp's threads.
  void tell_states(std::uint32_t slot);
  void set(std::uint32_t slot, EntryMask entries, ThreadState state);
  void set_waits(std::uint32_t slot, bool waits);
  /// The current subwarp of the warp issues again, regardless of its state in the unit.
  void goes_on(std::uint32_t slot);
  void stop_waiting(std::uint32_t slot);
  // The steps of a cycle, in order:
  void go_on_with_woken(Block& block, Cycle now);
  void take_stalls(Block& block, Cycle now);
  void write_results(Block& block, Cycle now);
  void broadcast(Block& block);
  void select_subwarp(Block& block, Cycle now);
  void end_cycle(Block& block, Cycle now);
  /// Makes another subwarp current, preferably that of `lane`.
  void switch_to(std::uint32_t slot, unsigned lane, Cycle now);

  SubwarpInterleavingParameters parameters_;
  std::vector<kernel::ScoreboardUse> uses_;  // by pc
  StallEstimate estimate_;
  kernel::ProgramKey prepared_;
  std::vector<Block> blocks_;
  std::vector<Own> own_;  // by slot
  std::mt19937_64 random_;
  std::uint64_t results_ = 0;
  SubwarpInterleavingStatistics statistics_;
  std::function<void(Cycle)> watcher_;
};

const SchemeKind& subwarp_interleaving_scheme();

}  // namespace reconverge
