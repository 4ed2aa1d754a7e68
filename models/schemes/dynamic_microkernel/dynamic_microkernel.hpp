// SPDX-License-Identifier: Apache-2.0
#pragma once
/// Dynamic micro-kernels (Steffen and Zambreno, MICRO 2010), a scheme in addition to a path scheme. It handles the
/// threads that spawn instructions create, forms warps from them, and stores their states in spawn memory.

#include <vector>

#include "blocks/dynamic_microkernel.hpp"
#include "models/core/divisor.hpp"
#include "models/protocols/scheme.hpp"
#include "models/schemes/dynamic_microkernel/dynamic_scheduler.hpp"
#include "models/schemes/dynamic_microkernel/formation.hpp"
#include "models/schemes/dynamic_microkernel/spawn_memory.hpp"
#include "models/schemes/dynamic_microkernel/state_addresses.hpp"

namespace reconverge {

class DynamicMicrokernel final : public Scheme {
 public:
  /// Makes the warp formation, inside the scheme's module.
  using MakeFormation = std::unique_ptr<Formation> (*)(const char* name,
                                                       const DynamicMicrokernelParameters& parameters);

  DynamicMicrokernel(sc_core::sc_module_name name, const DynamicMicrokernelParameters& parameters,
                     const SchemePlace& place, MakeFormation make);

  /// Begins a launch, whether or not its kernel spawns. Throws ParameterError if the launch needs a larger formation
  /// area than the implementation has.
  void begin(const SchemeLaunch& launch) override;
  void tick(Cycle now) override;
  bool drained() const override { return waiting_threads_ == 0; }
  std::uint64_t threads_followed() const override { return followed_threads_; }
  std::span<std::byte> memory() override { return memory_.bytes(); }
  ControlTargetSocket<SpaceRequest>* memory_accesses() override { return &memory_.accesses; }

  void add_statistics(Statistics& totals) const override { totals.of<DynamicMicrokernelStatistics>() += statistics_; }
  const DynamicMicrokernelStatistics& statistics() const { return statistics_; }

 private:
  /// The threads in a warp slot.
  struct Slot {
    std::optional<NewWarp> warp;  // the warp of spawned threads; none: threads of the launch
    LaneMask live = 0;
    LaneMask spawned = 0;                          // threads that have created another thread
    std::array<std::uint32_t, warp_size> state{};  // by lane: number of the thread's state
  };

  void start(SchemeRequest& request) override;
  void exit(SchemeRequest& request) override;
  void ask(SchemeRequest& request) override;
  void issued(SchemeRequest& request) override;
  void begin_threads(StartRequest& request) override;

  /// Assigns states to threads of the launch.
  void claim_states(Slot& slot, const SchemeRequest& request);
  void require_unspawned(const SchemeRequest& request) const;
  void hold(SchemeRequest& request, DynamicMicrokernelCause cause, Cycle until);
  /// Space became available: warps that stall for this cause retry.
  void retry(DynamicMicrokernelCause cause, Cycle now);
  void write_row(std::uint32_t slot, kernel::SpecialRow row, LaneMask lanes,
                 const std::array<std::uint32_t, warp_size>& words);
  SpawnAddress address_of(std::uint32_t state) const {
    return state * static_cast<SpawnAddress>(parameters_.state_bytes);
  }
  /// The state to which the formation entry points.
  std::uint32_t state_in(SpawnAddress entry) const {
    return static_cast<std::uint32_t>(by_state_.divide(memory_.word(entry)).quotient);
  }
  /// The region (entries of one warp) that contains a formation entry.
  std::uint32_t part_of(SpawnAddress entry) const {
    return (entry - formation_begin_) / (formation_entry_bytes * warp_size);
  }
  /// Reports created threads to the observer.
  void note_spawn(const SchemeRequest& request) const;
  /// Whether enough states are free for the next threads of the launch.
  bool launch_has_room() const { return states_.free() >= launch_warps_ * warp_size; }
  /// Updates the flags that the SM polls in each cycle.
  void update_waiting();
  /// Schedules the end of a cycle in which warp formation changed.
  void end_cycle(Cycle now) {
    if (steps_ || has_threads_) next_event_ = now;
  }

  DynamicMicrokernelParameters parameters_;
  std::uint32_t sm_;
  Divisor by_state_;
  std::unique_ptr<Formation> formation_;
  SpawnAddress formation_begin_ = 0;  // the first entry
  bool steps_;                        // the formation requires step() at the end of cycles
  DynamicScheduler scheduler_;
  StateAddresses states_;
  SpawnMemory memory_;
  ControlInitiatorSocket<DynamicMicrokernel, WarpChoice> choices_;
  ControlInitiatorSocket<DynamicMicrokernel, StateClaim> claims_;
  ControlInitiatorSocket<DynamicMicrokernel, StateRelease> releases_;
  std::vector<Slot> slots_;
  Formation::Offer offer_;  // the answer to the last request; if a warp spawns in this cycle, it is the requester
  const kernel::Program* program_ = nullptr;
  std::uint64_t launch_warps_ = 0;      // warps that begin together
  bool active_ = false;                 // the kernel spawns
  Cycle spawned_in_ = never;            // the last cycle of a spawn
  Cycle began_in_ = never;              // the last cycle in which a warp began
  Cycle forced_in_ = never;             // the last cycle in which a partial warp left the LUT
  std::vector<NewWarp> ended_;          // warps whose regions of the formation area are free from the next cycle on
  std::uint64_t waiting_threads_ = 0;   // created, but not running yet
  std::uint64_t followed_threads_ = 0;  // threads of this launch that ended after a spawn
  DynamicMicrokernelStatistics statistics_;
};

}  // namespace reconverge
