// SPDX-License-Identifier: Apache-2.0
#pragma once
/// The miss registers of a slice: outstanding fetches from memory, and the requests that wait for each.

#include <cstdint>
#include <tlm>
#include <vector>

#include "models/memory/sectors.hpp"

namespace reconverge {

class SliceMisses {
 public:
  explicit SliceMisses(std::size_t entries);

  bool full() const { return idle_.empty(); }
  std::size_t size() const { return entries_.size() - idle_.size(); }

  /// A new entry for a line of the tags (or for none of them); the table is not full.
  std::uint32_t open(std::uint32_t line);
  void close(std::uint32_t entry) { idle_.push_back(entry); }

  struct Entry {
    std::uint32_t line = 0;
    std::uint32_t fetches = 0;  ///< outstanding fetches from memory
    std::uint32_t waiting = 0;
    std::uint32_t first = 0;  ///< first waiting request, if there are any
    std::uint32_t last = 0;
  };
  Entry& entry(std::uint32_t index) { return entries_[index]; }

  /// `payload` waits for all of `needed` of the entry's line.
  void wait(std::uint32_t entry, tlm::tlm_generic_payload& payload, SectorMask needed);

  /// Calls `answer(payload)` for those, in the order in which they came, who need no more than what is `there`.
  template <typename Answer>
  void release(std::uint32_t index, SectorMask there, Answer&& answer) {
    Entry& entry = entries_[index];
    std::uint32_t next = entry.first;
    const std::uint32_t count = entry.waiting;
    entry.waiting = 0;
    for (std::uint32_t i = 0; i < count; ++i) {
      const std::uint32_t at = next;
      next = waiters_[at].next;
      if ((waiters_[at].needed & ~there) != 0) {
        append(entry, at);
      } else {
        answer(*waiters_[at].payload);
        idle_waiters_.push_back(at);
      }
    }
  }

 private:
  struct Waiter {
    tlm::tlm_generic_payload* payload = nullptr;
    std::uint32_t next = 0;
    SectorMask needed = 0;
  };
  void append(Entry& entry, std::uint32_t waiter);

  std::vector<Entry> entries_;
  std::vector<std::uint32_t> idle_;
  std::vector<Waiter> waiters_;  // of all entries; each entry has a linked list
  std::vector<std::uint32_t> idle_waiters_;
};

}  // namespace reconverge
