// SPDX-License-Identifier: Apache-2.0
#pragma once
/// The events of an SM, for observers such as profiles and traces. No SystemC. An observer must not change any state.
///
/// Calls of one SM are in the order of its cycles. SMs run ahead of each other by a quantum, so calls of different SMs,
/// and cycles of answers from memory, are not in order.

#include <optional>
#include <vector>

#include "blocks/warp_scheduler.hpp"
#include "models/core/cycle_count.hpp"
#include "models/core/lane_mask.hpp"
#include "models/execution/path.hpp"
#include "models/execution/warp.hpp"
#include "models/protocols/first_level.hpp"

namespace reconverge {

/// An instruction of a warp.
struct WarpPlace {
  std::uint32_t sm = 0;
  std::uint32_t slot = 0;  ///< of the warp, in the SM
  kernel::Pc pc = kernel::no_pc;
};

/// Threads of a warp slot begin, at `pc`, or have ended (no_pc).
struct ThreadsNote {
  WarpPlace place;
  LaneMask lanes = 0;
  LaneMask live = 0;        ///< live threads of the slot afterwards: the threads that began there, if threads change
                            ///< warps
  ThreadPosition position;  ///< of the warp in the grid, if it has one
  Cycle cycle = 0;
};

struct IssueNote {
  WarpPlace place;
  LaneMask lanes = 0;  ///< lanes that executed; for a branch all lanes of its path
  bool alone = false;  ///< each lane issued separately (SchemeTraits::lanes_alone), and may share its slot with others
  Cycle cycle = 0;
  LaneMask path = 0;  ///< lanes that the instruction issued for: `lanes`, and the lanes that failed its guard
};

/// A branch, or a call, after it issued. The lanes of `path` that do not take it fall through to the next instruction.
struct BranchNote {
  WarpPlace place;
  LaneMask path = 0;
  LaneMask taken = 0;
  const Targets& targets;  ///< of the lanes that take it
  bool alone = false;      ///< as in IssueNote: such lanes do not diverge
};

/// Issue slots of a scheduler without an issued instruction.
struct LostSlotsNote {
  /// The warp that the cause is charged to: if several warps have the same cause, the one that is expected to continue
  /// first. `pc`: its next instruction or, if it waits for others at a barrier or in a scheme, its last one. no_pc:
  /// there is no such warp.
  WarpPlace place;
  WarpSchedulerSlots cause = WarpSchedulerSlots::empty;
  Cycle from = 0;
  Cycle cycles = 0;
  std::uint64_t slots = 0;  ///< of all these cycles
};

/// A line that an instruction requests from a first-level cache.
struct LineNote {
  WarpPlace place;
  std::uint64_t ticket = 0;  ///< distinguishes its answer from other pending answers of the SM; without further meaning
  FirstLevel cache = FirstLevel::data;
  CacheOutcome outcome = CacheOutcome::hit;
  DeviceAddress line = 0;
  Cycle issued = 0;      ///< the instruction
  Cycle taken = 0;       ///< the line, by the cache
  Cycle answer = never;  ///< `never`: reported by `line_answered`
};

/// The warp of a slot has created threads, or created threads begin in the slot.
struct SpawnNote {
  std::uint32_t sm = 0;
  std::uint32_t slot = 0;
  std::uint32_t part = 0;  ///< part of the formation area in which such threads wait until their warp is full
};

/// A warp gets a row of rays, or releases its row.
struct RowNote {
  std::uint32_t sm = 0;
  std::uint32_t slot = 0;
  std::optional<std::size_t> row = {};
};

/// A swap of rays between rows reads or writes a register of a row.
struct RowAccessNote {
  std::uint32_t sm = 0;
  bool write = false;
  std::size_t row = 0;
  Cycle cycle = 0;
};

class SmObserver {
 public:
  virtual ~SmObserver() = default;

  virtual void threads_started(const ThreadsNote& /*note*/) {}
  virtual void threads_ended(const ThreadsNote& /*note*/) {}
  virtual void issued(const IssueNote& /*note*/) {}
  virtual void branched(const BranchNote& /*note*/) {}
  /// Not called for the slots next to an instruction that issued without another in its cycle (dual_issue).
  virtual void slots_lost(const LostSlotsNote& /*note*/) {}
  virtual void line_taken(const LineNote& /*note*/) {}
  virtual void line_answered(std::uint32_t /*sm*/, std::uint64_t /*ticket*/, Cycle /*answer*/) {}
  /// The last instruction of the slot has created threads.
  virtual void threads_spawned(const SpawnNote& /*note*/) {}
  /// Called before `threads_started`.
  virtual void spawned_begin(const SpawnNote& /*note*/) {}
  virtual void row_taken(const RowNote& /*note*/) {}
  virtual void row_accessed(const RowAccessNote& /*note*/) {}

 protected:
  SmObserver() = default;
  SmObserver(const SmObserver&) = default;
  SmObserver& operator=(const SmObserver&) = default;
};

/// Forwards events to several observers.
class SmObservers final : public SmObserver {
 public:
  /// It must outlive this one.
  void add(SmObserver& observer) { all_.push_back(&observer); }
  /// The observer that forwards to all added observers; nullptr: there are none.
  SmObserver* listener() {
    if (all_.empty()) return nullptr;
    return all_.size() == 1 ? all_.front() : this;
  }

  void threads_started(const ThreadsNote& note) override {
    for (SmObserver* one : all_) one->threads_started(note);
  }
  void threads_ended(const ThreadsNote& note) override {
    for (SmObserver* one : all_) one->threads_ended(note);
  }
  void issued(const IssueNote& note) override {
    for (SmObserver* one : all_) one->issued(note);
  }
  void branched(const BranchNote& note) override {
    for (SmObserver* one : all_) one->branched(note);
  }
  void slots_lost(const LostSlotsNote& note) override {
    for (SmObserver* one : all_) one->slots_lost(note);
  }
  void line_taken(const LineNote& note) override {
    for (SmObserver* one : all_) one->line_taken(note);
  }
  void line_answered(std::uint32_t sm, std::uint64_t ticket, Cycle answer) override {
    for (SmObserver* one : all_) one->line_answered(sm, ticket, answer);
  }
  void threads_spawned(const SpawnNote& note) override {
    for (SmObserver* one : all_) one->threads_spawned(note);
  }
  void spawned_begin(const SpawnNote& note) override {
    for (SmObserver* one : all_) one->spawned_begin(note);
  }
  void row_taken(const RowNote& note) override {
    for (SmObserver* one : all_) one->row_taken(note);
  }
  void row_accessed(const RowAccessNote& note) override {
    for (SmObserver* one : all_) one->row_accessed(note);
  }

 private:
  std::vector<SmObserver*> all_;
};

}  // namespace reconverge
