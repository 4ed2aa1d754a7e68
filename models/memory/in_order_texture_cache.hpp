// SPDX-License-Identifier: Apache-2.0
#pragma once
/// A texture cache that answers in order (Igehy, Eldridge and Proudfoot, "Prefetching in a texture cache architecture",
/// 1998; GPGPU-Sim 3.2.1, gpu-cache.cc, tex_cache).
///
/// The tags are looked up when a request arrives, and a miss allocates its line at once. Then the request waits in the
/// fragment FIFO until earlier requests have left and its data has arrived. So a lookup hits even if the line is still
/// being fetched, and a hit waits for earlier misses to other lines.

#include "models/memory/fifo.hpp"
#include "models/memory/texture_cache.hpp"

namespace reconverge {

class InOrderTextureCache : public TextureCache, private MemoryInitiator {
 public:
  /// `sm`: SM whose crossbar port it uses.
  InOrderTextureCache(sc_core::sc_module_name name, const TextureCacheParameters& parameters, std::uint32_t sm,
                      Clock clock);

  void invalidate() override;
  Cycle next_event() const override { return held_until(leaving_.empty() ? never : leaving_.front().cycle); }

 private:
  /// A request in the FIFO.
  struct Fragment {
    Payload* request = nullptr;
    Cycle entered = 0;
    Cycle ready = 0;  // when its data arrives; `never`: not known
    bool miss = false;
  };
  /// A fragment whose time to leave is known.
  struct Leaving {
    Cycle cycle = 0;
    bool miss = false;
  };
  tlm::tlm_sync_enum nb_transport_bw(Payload& payload, tlm::tlm_phase& phase, sc_core::sc_time& delay) override;
  std::optional<Cycle> serve(Payload& payload, Cycle arrival) override;
  bool room_for(Cycle now, bool miss);
  /// Lets the first fragments whose data time is known leave; answers all except `serving_`, whose answer it returns.
  std::optional<Cycle> leave();

  Fifo<Fragment> waiting_;    // fragments whose time to leave is not known
  std::uint32_t first_ = 0;   // number of the first of them; later ones count up
  Fifo<Leaving> leaving_;     // in order of time
  std::uint64_t misses_ = 0;  // in the FIFO
  const Payload* serving_ = nullptr;
};

}  // namespace reconverge
