#include "models/memory/arrival_queue.hpp"

#include <algorithm>

namespace reconverge {

namespace {

bool is_later(const Packet& a, const Packet& b) { return a.arrival != b.arrival ? a.arrival > b.arrival : a.sm > b.sm; }

}  // namespace

void ArrivalQueue::push(const Packet& packet) {
  later_.push_back(packet);
  std::push_heap(later_.begin(), later_.end(), is_later);
}

Packet ArrivalQueue::pop_later() {
  std::pop_heap(later_.begin(), later_.end(), is_later);
  const Packet packet = later_.back();
  later_.pop_back();
  return packet;
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
    packet = pop_later();
    if (!later_.empty() && later_.front().arrival == packet.arrival) {
      tied_.push_back(packet);
      while (!later_.empty() && later_.front().arrival == packet.arrival) tied_.push_back(pop_later());
    }
  }
  if (!tied_.empty()) packet = pop_tied();
  last_sm_ = packet.sm;
  return packet;
}

}  // namespace reconverge
