// SPDX-License-Identifier: Apache-2.0
#pragma once
/// A text log of the warps' actions: a line for each instruction that issues, and for changes of a warp's paths.
/// docs/log.md describes the lines.

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "models/core/cycle_window.hpp"
#include "models/protocols/run_observer.hpp"

namespace reconverge::trace {

/// The first line of each log.
inline constexpr std::string_view log_mark = "# Warps of a run of Reconverge, by cycles: docs/log.md\n";

/// Keeps the state of each warp slot, but no lines.
class WarpLog final : public RunObserver {
 public:
  /// Receives complete lines, in the order in which an SM runs its cycles. SMs run ahead of each other.
  using Sink = std::function<void(std::string_view lines)>;

  /// Writes the heading at once. `window`: cycles of the machine. `outcomes`: names of the outcomes of issue slots, in
  /// the scheduler's order.
  WarpLog(CycleWindow window, std::vector<std::string> outcomes, Sink sink);

  void launch_started(const Launch& launch, Cycle cycle) override;
  void launch_ended(Cycle end) override;
  void threads_started(const ThreadsNote& note) override;
  void threads_ended(const ThreadsNote& note) override;
  void issued(const IssueNote& note) override;
  void branched(const BranchNote& note) override;
  void slots_lost(const LostSlotsNote& note) override;
  void threads_spawned(const SpawnNote& note) override;
  void spawned_begin(const SpawnNote& note) override;
  void row_taken(const RowNote& note) override;

  /// Writes the waits of warps if a launch ends with an error. Its program need not exist any more.
  void end_waits();
  /// No instruction has issued in the window.
  bool empty() const { return empty_; }

 private:
  /// Consecutive issue slots that the warp loses to one cause.
  struct Wait {
    WarpSchedulerSlots cause = WarpSchedulerSlots::empty;
    kernel::Pc pc = kernel::no_pc;
    Cycle begin = 0;
    Cycle end = 0;  ///< the cycle up to which events have been received
  };
  /// A warp slot.
  struct Slot {
    std::optional<std::uint32_t> block;  ///< of all of its threads
    LaneMask path = 0;                   ///< of the path that ran last, without ended threads
    IssueNote last;                      ///< instruction
    std::optional<Wait> wait;
    std::optional<std::uint32_t> created_in;  ///< the part in which the threads that begin next waited
    std::string row;                          ///< rows of rays, as reported by the next instruction
  };

  Slot& slot_of(std::uint32_t sm, std::uint32_t slot);
  /// The line for a run of lost slots that has ended, as far as it is in the window.
  void end_wait(const WarpPlace& place, Slot& slot);
  /// Describes the lanes in `before` that do not run now.
  void follow(const IssueNote& note, LaneMask before);
  /// `n 0xMASK to pc P (line L)`, for each path.
  std::string sides_of(const BranchNote& note) const;
  /// Writes a line unless `cycle` is outside the window. `place.pc` no_pc: the line has no pc.
  void put(Cycle cycle, const WarpPlace& place, LaneMask lanes, std::string_view event, std::string_view text);

  CycleWindow window_;
  std::vector<std::string> outcomes_;
  Sink sink_;
  const kernel::Program* program_ = nullptr;  // of the launch; gone after one that ends with an error
  std::vector<std::uint32_t> source_lines_;   // its lines, by pc
  std::string launch_;                        // the line of the launch, until it is written
  bool empty_ = true;
  std::vector<std::vector<Slot>> slots_;  // by SM
};

}  // namespace reconverge::trace
