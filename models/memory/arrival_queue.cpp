// SPDX-License-Identifier: Apache-2.0
#include "models/memory/arrival_queue.hpp"

#include <algorithm>

namespace reconverge {

namespace {

bool is_later(const Packet& a, const Packet& b) { return a.arrival != b.arrival ? a.arrival > b.arrival : a.sm > b.sm; }

}  // namespace

void ArrivalQueue::push(const Packet& packet) {
  // Each SM's come in order, and SMs are never far apart: the place is at the end, or near it.
  later_.insert(packet, is_later);
}

Packet ArrivalQueue::pop_tied() {
  auto next = std::find_if(tied_.begin(), tied_.end(), [&](const Packet& packet) { return packet.sm > last_sm_; });
  if (next == tied_.end()) next = tied_.begin();
  const Packet packet = *next;
  tied_.erase(next);
  return packet;
}

Packet ArrivalQueue::pop() {
  Packet packet;
  if (tied_.empty()) {
    packet = later_.pop();
    if (!later_.empty() && later_.front().arrival == packet.arrival) {
      tied_.push_back(packet);
      while (!later_.empty() && later_.front().arrival == packet.arrival) tied_.push_back(later_.pop());
    }
  }
  if (!tied_.empty()) packet = pop_tied();
  last_sm_ = packet.sm;
  return packet;
}

}  // namespace reconverge
