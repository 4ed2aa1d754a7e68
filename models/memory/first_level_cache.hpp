#pragma once
/// What an SM sees of its first-level caches.

#include <systemc>

#include "blocks/l1_cache.hpp"
#include "models/protocols/memory.hpp"
#include "models/protocols/memory_sockets.hpp"

namespace reconverge {

/// Takes requests from the load/store unit in order of arrival. Answers at once (TLM_COMPLETED) what it holds or knows
/// the time of, and later what it has to ask for (TLM_UPDATED with END_REQ, then BEGIN_RESP). A request that finds no
/// room is held (TLM_ACCEPTED), and none may follow before END_REQ or BEGIN_RESP: the SM calls `tick` at `next_event`.
class FirstLevelCache : public sc_core::sc_module {
 public:
  MemoryTargetSocket requests;
  MemoryInitiatorSocket next_level;
  sc_core::sc_event room;  ///< at a cycle in which a held request may find room, when `next_event` did not know it

  /// Forgets all lines, as GPUs do between launches: the first level is not coherent. Nothing may be on its way.
  virtual void invalidate() = 0;
  /// The first cycle in which a held request may find room; `never` when an answer must come first.
  virtual Cycle next_event() const = 0;
  /// Tries the held request again.
  virtual void tick(Cycle now) = 0;
  /// Requests of the next level that have not been answered.
  virtual std::uint64_t outstanding() const = 0;

  const L1CacheStatistics& statistics() const { return statistics_; }

 protected:
  explicit FirstLevelCache(sc_core::sc_module_name name)
      : sc_module(name), requests("requests"), next_level("next_level"), room("room") {}

  L1CacheStatistics statistics_;
};

}  // namespace reconverge
