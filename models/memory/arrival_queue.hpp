// SPDX-License-Identifier: Apache-2.0
#pragma once
/// Packets that wait for a port of the crossbar: in order of arrival; simultaneous ones round robin over the SMs.

#include <cstdint>
#include <tlm>
#include <vector>

#include "models/core/cycle.hpp"
#include "models/core/state_archive.hpp"
#include "models/memory/fifo.hpp"

namespace reconverge {

struct Packet {
  Cycle arrival = 0;
  std::uint32_t sm = 0;
  std::uint32_t flits = 0;  ///< cycles for which it occupies a port
  tlm::tlm_generic_payload* payload = nullptr;
};

/// Packets may be pushed in any order, but not with an arrival at or before that of a packet that was popped.
class ArrivalQueue {
 public:
  bool empty() const { return later_.empty() && tied_.empty(); }
  std::size_t size() const { return later_.size() + tied_.size(); }
  /// When the next packet arrives, or arrived.
  Cycle earliest() const { return tied_.empty() ? later_.front().arrival : tied_.front().arrival; }
  void push(const Packet& packet);
  Packet pop();
  /// Of an empty queue.
  void archive(StateArchive& state) { state(last_sm_); }

 private:
  Packet pop_tied();

  Fifo<Packet> later_;        // by arrival and SM
  std::vector<Packet> tied_;  // arrived together, by SM
  std::uint32_t last_sm_ = ~0U;
};

}  // namespace reconverge
