// SPDX-License-Identifier: Apache-2.0
#pragma once
/// Stores the events of one SM during its turn, while other SMs may run in parallel. Observers of all SMs get them
/// afterwards, SM by SM.

#include <utility>
#include <variant>
#include <vector>

#include "models/protocols/observer.hpp"
#include "platforms/machines/gpu/history_recorder.hpp"

namespace reconverge {

class NoteQueue final : public SmObserver {
 public:
  void threads_started(const ThreadsNote& note) override { add(note, &SmObserver::threads_started); }
  void threads_ended(const ThreadsNote& note) override { add(note, &SmObserver::threads_ended); }
  void issued(const IssueNote& note) override { add(note, &SmObserver::issued); }
  void branched(const BranchNote& note) override;
  void slots_lost(const LostSlotsNote& note) override { add(note, &SmObserver::slots_lost); }
  void line_taken(const LineNote& note) override { add(note, &SmObserver::line_taken); }
  void line_answered(std::uint32_t sm, std::uint64_t ticket, Cycle answer) override;
  void threads_spawned(const SpawnNote& note) override { add(note, &SmObserver::threads_spawned); }
  void spawned_begin(const SpawnNote& note) override { add(note, &SmObserver::spawned_begin); }
  void row_taken(const RowNote& note) override { add(note, &SmObserver::row_taken); }
  void row_accessed(const RowAccessNote& note) override { add(note, &SmObserver::row_accessed); }

  /// Slots of an interval of the history.
  void slots_counted(std::size_t number, const SlotCounts& slots);

  /// The observers: of lines that caches take, and of everything else; nullptr: none.
  void connect(SmObserver* all, SmObserver* of_lines) {
    all_ = all;
    of_lines_ = of_lines;
  }
  void connect(HistoryRecorder& recorder) { recorder_ = &recorder; }
  /// Stores events from now on.
  void hold() { held_ = true; }
  /// Forwards the stored events, and forwards later events immediately.
  void release();

 private:
  template <typename Note>
  struct Told {
    Note note;
    void (SmObserver::*event)(const Note&);
  };
  struct Branch {
    WarpPlace place;
    LaneMask path;
    LaneMask taken;
    Targets targets;
    bool alone;
  };
  struct Answer {
    std::uint32_t sm;
    std::uint64_t ticket;
    Cycle answer;
  };

  template <typename Note>
  void add(const Note& note, void (SmObserver::*event)(const Note&)) {
    const Told<Note> told{note, event};
    held_ ? static_cast<void>(notes_.emplace_back(told)) : tell(told);
  }
  template <typename Note>
  void tell(const Told<Note>& told) {
    (all_->*told.event)(told.note);
  }
  void tell(const Told<LineNote>& told) { of_lines_->line_taken(told.note); }
  void tell(const Answer& answer) { of_lines_->line_answered(answer.sm, answer.ticket, answer.answer); }
  void tell(const Branch& branch);

  SmObserver* all_ = nullptr;
  SmObserver* of_lines_ = nullptr;
  HistoryRecorder* recorder_ = nullptr;
  bool held_ = false;
  std::vector<std::variant<Told<ThreadsNote>, Told<IssueNote>, Branch, Told<LostSlotsNote>, Told<LineNote>, Answer,
                           Told<SpawnNote>, Told<RowNote>, Told<RowAccessNote>>>
      notes_;
  std::vector<std::pair<std::size_t, SlotCounts>> slots_;
};

}  // namespace reconverge
