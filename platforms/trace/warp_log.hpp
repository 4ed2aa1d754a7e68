#pragma once
/// What warps do, as text: a line for each instruction that issues, and for what happens to the paths of a warp.
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

/// Keeps what it must know of each warp slot, and no line.
class WarpLog final : public RunObserver {
 public:
  /// Takes whole lines, in the order in which an SM runs its cycles. SMs run ahead of each other.
  using Sink = std::function<void(std::string_view lines)>;

  /// Writes the heading at once. `window`: cycles of the machine. `outcomes`: names of what issue slots go to, as the
  /// scheduler counts them.
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

  /// Writes what warps wait for, where a launch ends by an error. Its program need not exist any more.
  void end_waits();
  /// No instruction has issued in the window.
  bool empty() const { return empty_; }

 private:
  /// Issue slots that the warp loses in cycles that follow each other, to one cause.
  struct Wait {
    WarpSchedulerSlots cause = WarpSchedulerSlots::empty;
    kernel::Pc pc = kernel::no_pc;
    Cycle begin = 0;
    Cycle end = 0;  ///< as far as it has been told
  };
  /// A warp slot.
  struct Slot {
    std::optional<std::uint32_t> block;  ///< of all of its threads
    LaneMask path = 0;                   ///< that ran last, without those that have ended
    IssueNote last;                      ///< instruction
    std::optional<Wait> wait;
    std::optional<std::uint32_t> created_in;  ///< the part in which threads waited that begin next
    std::string row;                          ///< what the next instruction tells of rows of rays
  };

  Slot& slot_of(std::uint32_t sm, std::uint32_t slot);
  /// The line of a run of lost slots that has ended, as much of it as the window has.
  void end_wait(const WarpPlace& place, Slot& slot);
  /// What became of the lanes `before`, which are not those that run now.
  void follow(const IssueNote& note, LaneMask before);
  /// `n 0xMASK to pc P (line L)`, for each side.
  std::string sides_of(const BranchNote& note) const;
  /// Writes a line, unless `cycle` is outside of the window. `place.pc` no_pc: the line has none.
  void put(Cycle cycle, const WarpPlace& place, LaneMask lanes, std::string_view event, std::string_view text);

  CycleWindow window_;
  std::vector<std::string> outcomes_;
  Sink sink_;
  const kernel::Program* program_ = nullptr;  // of the launch, and gone after one that ends by an error
  std::vector<std::uint32_t> source_lines_;   // its lines, by pc
  std::string launch_;                        // the line of the launch, until it is written
  bool empty_ = true;
  std::vector<std::vector<Slot>> slots_;  // by SM
};

}  // namespace reconverge::trace
