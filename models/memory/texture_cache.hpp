// SPDX-License-Identifier: Apache-2.0
#pragma once
/// What the texture caches with an order have in common: they take a request, or hold it until there is room.

#include <optional>

#include "blocks/texture_cache.hpp"
#include "models/memory/first_level_cache.hpp"
#include "models/memory/sector_tags.hpp"

namespace reconverge {

class TextureCache : public FirstLevelCache, protected MemoryTarget {
 public:
  void tick(Cycle now) override;
  std::uint64_t outstanding() const override { return outstanding_; }

 protected:
  using Payload = tlm::tlm_generic_payload;

  /// Accepts a fixed number per cycle, in order.
  struct Port {
    Cycle cycle = 0;
    std::uint64_t taken = 0;
    /// The first cycle from `from` on, and from the last one taken on, that has room for one more.
    Cycle take(Cycle from, std::uint64_t width);
  };

  TextureCache(sc_core::sc_module_name name, const TextureCacheParameters& parameters, std::uint32_t sm, Clock clock);

  /// Takes the request, if there is room; gives the cycle of its answer, `never` where that is not known.
  virtual std::optional<Cycle> serve(Payload& payload, Cycle arrival) = 0;

  /// Asks the next level for a line, to leave in cycle `start`; gives the cycle in which it is here, if that is known.
  Cycle fetch(DeviceAddress line, std::uint32_t ticket, Cycle start);
  /// A fetch has come.
  void end_fetch(Payload& payload);
  /// Answers a request that was taken without one.
  void answer(Payload& payload, Cycle cycle);
  /// The first cycle in which a request that is held may find room, when room comes in cycle `next`.
  Cycle held_until(Cycle next) const { return held_ == nullptr ? never : std::max(held_since_, next); }

  TextureCacheParameters parameters_;
  Clock clock_;
  SectorTags tags_;
  Port entry_;
  Port exit_;

 private:
  tlm::tlm_sync_enum nb_transport_fw(Payload& payload, tlm::tlm_phase& phase, sc_core::sc_time& delay) override;

  std::uint32_t sm_;
  PayloadPool payloads_;
  std::uint64_t outstanding_ = 0;
  Payload* held_ = nullptr;
  Cycle held_since_ = 0;
};

}  // namespace reconverge
