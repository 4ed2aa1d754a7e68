#pragma once
/// What waits for a port of the crossbar: packets in order of arrival, those that arrive together by round robin over
/// the SMs.

#include <cstdint>
#include <tlm>
#include <vector>

#include "models/core/cycle.hpp"
#include "models/memory/fifo.hpp"

namespace reconverge {

struct Packet {
  Cycle arrival = 0;
  std::uint32_t sm = 0;
  std::uint32_t flits = 0;  ///< cycles that it takes a port
  tlm::tlm_generic_payload* payload = nullptr;
};

/// Packets may be pushed in any order, but none that arrives with, or before, one that was popped.
class ArrivalQueue {
 public:
  bool empty() const { return later_.empty() && tied_.empty(); }
  std::size_t size() const { return later_.size() + tied_.size(); }
  /// When the next packet arrives, or arrived.
  Cycle earliest() const { return tied_.empty() ? later_.front().arrival : tied_.front().arrival; }
  void push(const Packet& packet);
  Packet pop();

 private:
  Packet pop_tied();

  Fifo<Packet> later_;        // by arrival and SM
  std::vector<Packet> tied_;  // have arrived together, by SM
  std::uint32_t last_sm_ = ~0U;
};

}  // namespace reconverge
