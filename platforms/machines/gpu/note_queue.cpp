// SPDX-License-Identifier: Apache-2.0
#include "platforms/machines/gpu/note_queue.hpp"

namespace reconverge {

void NoteQueue::branched(const BranchNote& note) {
  if (!held_) return all_->branched(note);
  notes_.emplace_back(Branch{note.place, note.path, note.taken, note.targets, note.alone});
}

void NoteQueue::tell(const Branch& branch) {
  all_->branched({branch.place, branch.path, branch.taken, branch.targets, branch.alone});
}

void NoteQueue::line_answered(std::uint32_t sm, std::uint64_t ticket, Cycle answer) {
  const Answer told{sm, ticket, answer};
  held_ ? static_cast<void>(notes_.emplace_back(told)) : tell(told);
}

void NoteQueue::slots_counted(std::size_t number, const SlotCounts& slots) {
  held_ ? static_cast<void>(slots_.emplace_back(number, slots)) : recorder_->add_slots(number, slots);
}

void NoteQueue::release() {
  held_ = false;
  for (const auto& note : notes_) {
    std::visit([this](const auto& told) { tell(told); }, note);
  }
  notes_.clear();
  for (const auto& [number, slots] : slots_) recorder_->add_slots(number, slots);
  slots_.clear();
}

}  // namespace reconverge
