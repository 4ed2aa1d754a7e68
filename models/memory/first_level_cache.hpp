// SPDX-License-Identifier: Apache-2.0
#pragma once
/// The interface of first-level caches to an SM.

#include <functional>
#include <systemc>

#include "blocks/l1_cache.hpp"
#include "models/protocols/memory.hpp"
#include "models/protocols/memory_sockets.hpp"

namespace reconverge {

/// Accepts requests from the load/store unit in order of arrival. It answers hits, and misses of known time, at once
/// (TLM_COMPLETED), and requests that it has to forward later (TLM_UPDATED with END_REQ, then BEGIN_RESP). A request
/// for which there is no room is stalled (TLM_ACCEPTED), and no other may follow before END_REQ or BEGIN_RESP: the SM
/// calls `tick` at `next_event`.
class FirstLevelCache : public sc_core::sc_module {
 public:
  MemoryTargetSocket requests;
  MemoryInitiatorSocket next_level;
  /// Called when the cycle in which there may be room for a stalled request becomes known, if `next_event` did not know
  /// it.
  std::function<void(Cycle)> room;

  /// Invalidates all lines, as GPUs do between launches: the first level is not coherent. No request may be in flight.
  virtual void invalidate() = 0;
  /// The first cycle in which there may be room for a stalled request; `never` if an answer must come first.
  virtual Cycle next_event() const = 0;
  /// Retries the stalled request.
  virtual void tick(Cycle now) = 0;
  /// Requests that the next level has not answered.
  virtual std::uint64_t outstanding() const = 0;

  const L1CacheStatistics& statistics() const { return statistics_; }

 protected:
  explicit FirstLevelCache(sc_core::sc_module_name name)
      : sc_module(name), requests("requests"), next_level("next_level") {}

  void tell_room() const {
    if (room && next_event() < never) room(next_event());
  }

  L1CacheStatistics statistics_;
};

}  // namespace reconverge
