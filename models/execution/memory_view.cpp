// SPDX-License-Identifier: Apache-2.0
#include "models/execution/memory_view.hpp"

#include "models/core/spin_wait.hpp"

namespace reconverge {

void MemoryView::order() {
  if (stores_ != &own_) return;
  views_.merge_before(sm_);
  own_.move_to(views_.merged_);
  stores_ = &views_.merged_;
}

MemoryViews::MemoryViews(std::size_t sms) {
  for (std::size_t sm = 0; sm < sms; ++sm) views_.push_back(std::make_unique<MemoryView>(*this, sm));
}

void MemoryViews::begin_turns() {
  for (auto& view : views_) {
    view->stores_ = &view->own_;
    view->turn_.store(MemoryView::Turn::running, std::memory_order_relaxed);
  }
  first_apart_ = 0;
}

void MemoryViews::end_turn(std::size_t sm, bool failed) {
  std::atomic<MemoryView::Turn>& turn = views_[sm]->turn_;
  turn.store(failed ? MemoryView::Turn::failed : MemoryView::Turn::ended, std::memory_order_release);
  turn.notify_all();
}

void MemoryViews::merge_before(std::size_t sm) {
  for (std::size_t lower = 0; lower < sm; ++lower) {
    const std::atomic<MemoryView::Turn>& turn = views_[lower]->turn_;
    wait_until_changed(turn, MemoryView::Turn::running);
    if (turn.load(std::memory_order_acquire) == MemoryView::Turn::failed) throw TurnAbandoned();
  }
  // Must be last: before this, another SM may have been in order.
  for (; first_apart_ < sm; ++first_apart_) views_[first_apart_]->own_.move_to(merged_);
}

void MemoryViews::commit(DeviceMemory& memory) {
  merged_.move_to(memory);
  for (auto& view : views_) view->own_.move_to(memory);
}

}  // namespace reconverge
