// SPDX-License-Identifier: Apache-2.0
#pragma once
/// Makes a trace from the events of SMs: the instructions and waits of warps in each cycle, and their requests to
/// memory.

#include <array>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "models/core/cycle_window.hpp"
#include "models/protocols/run_observer.hpp"
#include "platforms/trace/trace.hpp"

namespace reconverge::trace {

// Categories of slices.
inline constexpr const char* launch_category = "launch";
inline constexpr const char* warp_category = "warp";
inline constexpr const char* instruction_category = "instruction";
inline constexpr const char* stall_category = "stall";
inline constexpr const char* memory_category = "memory";
inline constexpr const char* swap_category = "swap";

/// Cycles between samples of a counter.
inline constexpr Cycle sample_interval = 100;

class SmTrace final : public RunObserver {
 public:
  /// `window`: cycles of the machine. Slices that extend beyond it are cut. `outcomes`: names of the outcomes of issue
  /// slots, in the scheduler's order.
  SmTrace(CycleWindow window, std::vector<std::string> outcomes);

  void launch_started(const Launch& launch, Cycle cycle) override;
  void launch_ended(Cycle end) override;
  void threads_started(const ThreadsNote& note) override;
  void threads_ended(const ThreadsNote& note) override;
  void issued(const IssueNote& note) override;
  void slots_lost(const LostSlotsNote& note) override;
  void line_taken(const LineNote& note) override;
  void line_answered(std::uint32_t sm, std::uint64_t ticket, Cycle answer) override;
  void threads_spawned(const SpawnNote& note) override;
  void spawned_begin(const SpawnNote& note) override;
  void row_taken(const RowNote& note) override { slot_of({note.sm, note.slot}).row = note.row; }
  void row_accessed(const RowAccessNote& note) override;

  /// Returns everything recorded; call it once. Without launches in the window there are no slices.
  Trace take();

 private:
  struct TrackPlace {
    enum class Kind : std::uint8_t { launches, sm, warp, counter, request, swap };
    std::uint32_t sm = 0;
    Kind kind = Kind::launches;
    std::uint64_t number = 0;  ///< of the track among tracks of its kind in the SM
  };
  /// A slice that has not ended.
  struct Open {
    std::string name;
    Cycle begin = 0;
    std::uint32_t depth = 0;
    std::vector<Argument> arguments;
    std::vector<std::uint64_t> flows;
  };
  // Each warp has one of these a cycle, and most runs are longer than the window: slices are made only within it.
  /// An instruction, until the next one of its warp.
  struct Issue {
    IssueNote note;
    Cycle begin = 0;
    std::uint32_t depth = 0;
    std::optional<std::size_t> row;  ///< of rays
    std::vector<std::uint64_t> flows;
  };
  struct Stall {
    WarpSchedulerSlots cause = WarpSchedulerSlots::empty;
    Cycle begin = 0;
    Cycle end = 0;  ///< the cycle up to which events have been received
    std::uint32_t depth = 0;
  };
  /// The port that reads or writes rows.
  struct RowPort {
    std::optional<Open> row;
    Cycle end = 0;
  };
  /// A warp slot.
  struct Slot {
    std::optional<Open> warp;
    std::optional<Issue> instruction;
    std::optional<Stall> stall;
    std::optional<std::size_t> row;                          ///< of rays
    std::optional<std::vector<std::uint64_t>> spawned_with;  ///< flows to the threads that begin next
    Cycle last = 0;                                          ///< when the last of its slices ended or began
  };
  struct Sm {
    std::vector<Slot> slots;
    std::map<std::uint32_t, RowPort> ports;                       ///< by number: 0 reads, 1 writes
    std::map<std::uint32_t, std::vector<std::uint64_t>> spawned;  ///< flows to waiting threads, by part
    std::map<Cycle, std::array<std::uint64_t, 2>> samples;        ///< by interval: warp and thread instructions
  };
  /// Slices that begin then are outside the window and are not stored.
  bool past(Cycle cycle) const { return cycle > window_.last; }
  /// Whether a part of the interval from `begin` to before `end` is in the window; an empty interval is at its begin.
  bool shows(Cycle begin, Cycle end) const {
    return !past(begin) && end >= window_.first && (end != window_.first || begin >= window_.first);
  }
  Open slice_of(const Issue& issue);
  Slot& slot_of(const WarpPlace& place);
  void close_instruction(const WarpPlace& place, Cycle end);
  void close_stall(const WarpPlace& place);
  void close_warp(const WarpPlace& place, Cycle end);
  void close_port(std::uint32_t sm, std::uint32_t number);
  void close_all(Cycle end);
  /// Adds the part that is in the window.
  void add(const TrackPlace& track, const char* category, Open open, Cycle end);
  Argument number(const char* name, std::uint64_t value) { return {names_.of(name), ArgumentKind::number, value}; }
  Argument address(const char* name, std::uint64_t value) { return {names_.of(name), ArgumentKind::address, value}; }
  Argument text(const char* name, std::string_view value) {
    return {names_.of(name), ArgumentKind::text, names_.of(value)};
  }
  /// A request that has been answered.
  void add_request(const LineNote& note);
  void place_requests();
  void add_samples();
  /// Makes the track and its parent if they do not exist yet. Returns its uuid.
  std::uint64_t describe(const TrackPlace& place);

  CycleWindow window_;
  std::vector<std::string> outcomes_;
  Trace trace_;
  Names names_{trace_.names};
  std::optional<Open> launch_;
  Cycle end_ = 0;  // of the last launch
  std::uint64_t flows_ = 0;
  const kernel::Program* program_ = nullptr;
  std::vector<Sm> sms_;
  std::map<std::pair<std::uint32_t, std::uint64_t>, LineNote> waiting_;  // by SM and ticket
  std::vector<LineNote> requests_;                                       // that have been answered
  std::vector<std::uint64_t> uuids_, sample_uuids_;  // of the tracks of slices and samples, which take() numbers
  std::map<std::uint64_t, Track> tracks_;            // by uuid
};

}  // namespace reconverge::trace
