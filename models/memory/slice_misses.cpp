// SPDX-License-Identifier: Apache-2.0
#include "models/memory/slice_misses.hpp"

namespace reconverge {

SliceMisses::SliceMisses(std::size_t entries) : entries_(entries) {
  for (std::size_t i = entries; i > 0; --i) idle_.push_back(static_cast<std::uint32_t>(i - 1));
}

std::uint32_t SliceMisses::open(std::uint32_t line) {
  const std::uint32_t index = idle_.back();
  idle_.pop_back();
  entries_[index] = {};
  entries_[index].line = line;
  return index;
}

void SliceMisses::append(Entry& entry, std::uint32_t waiter) {
  if (entry.waiting == 0) {
    entry.first = waiter;
  } else {
    waiters_[entry.last].next = waiter;
  }
  entry.last = waiter;
  ++entry.waiting;
}

void SliceMisses::wait(std::uint32_t entry, tlm::tlm_generic_payload& payload, SectorMask needed) {
  if (idle_waiters_.empty()) {
    idle_waiters_.push_back(static_cast<std::uint32_t>(waiters_.size()));
    waiters_.emplace_back();
  }
  const std::uint32_t waiter = idle_waiters_.back();
  idle_waiters_.pop_back();
  waiters_[waiter] = {&payload, 0, needed};
  append(entries_[entry], waiter);
}

}  // namespace reconverge
