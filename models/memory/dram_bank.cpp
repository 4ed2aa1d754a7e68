// SPDX-License-Identifier: Apache-2.0
#include "models/memory/dram_bank.hpp"

namespace reconverge {

void DramBank::append(std::vector<DramRequest>& pool, std::uint32_t request) {
  if (first == none) {
    first = request;
  } else {
    pool[last].next = request;
  }
  last = request;
}

void DramBank::choose(const std::vector<DramRequest>& pool, bool row_hits) {
  current = first;
  before = none;
  if (!row_hits || open_row == closed || first == none) return;
  std::uint32_t previous = none;
  for (std::uint32_t request = first;; request = pool[request].next) {
    if (pool[request].row == open_row) {
      current = request;
      before = previous;
      return;
    }
    if (request == last) return;
    previous = request;
  }
}

void DramBank::finish_current(std::vector<DramRequest>& pool) {
  const bool is_first = current == first;
  passed = is_first ? 0 : passed + 1;
  const bool is_last = current == last;
  if (is_first) {
    first = is_last ? none : pool[current].next;
  } else {
    pool[before].next = pool[current].next;
  }
  if (is_last) last = is_first ? none : before;
  current = none;
}

}  // namespace reconverge
