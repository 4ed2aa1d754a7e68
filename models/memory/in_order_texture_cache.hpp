#pragma once
/// A texture cache that answers in order (Igehy, Eldridge and Proudfoot, "Prefetching in a texture cache architecture",
/// 1998; GPGPU-Sim 3.2.1, gpu-cache.cc, tex_cache).
///
/// The tags are looked up when a request comes, and a miss takes its line at once. Then the request waits in the
/// fragment FIFO until those before it have left, and its data is here. A hit so finds its line even where that is
/// still on its way, and waits behind whom it did not ask for.

#include "models/memory/fifo.hpp"
#include "models/memory/texture_cache.hpp"

namespace reconverge {

class InOrderTextureCache : public TextureCache, private MemoryInitiator {
 public:
  /// `sm`: whose port of the crossbar it uses.
  InOrderTextureCache(sc_core::sc_module_name name, const TextureCacheParameters& parameters, std::uint32_t sm,
                      Clock clock);

  void invalidate() override;
  Cycle next_event() const override { return held_until(leaving_.empty() ? never : leaving_.front().cycle); }

 private:
  /// A request in the FIFO.
  struct Fragment {
    Payload* request = nullptr;
    Cycle entered = 0;
    Cycle ready = 0;  // its data is here; `never`: not known
    bool miss = false;
  };
  /// One whose time to leave is known.
  struct Leaving {
    Cycle cycle = 0;
    bool miss = false;
  };
  tlm::tlm_sync_enum nb_transport_bw(Payload& payload, tlm::tlm_phase& phase, sc_core::sc_time& delay) override;
  std::optional<Cycle> serve(Payload& payload, Cycle arrival) override;
  bool room_for(Cycle now, bool miss);
  /// Lets the first fragments leave whose data is known to come; answers all but `serving_`, whose answer it gives.
  std::optional<Cycle> leave();

  Fifo<Fragment> waiting_;    // those whose time to leave is not known
  std::uint32_t first_ = 0;   // the number of the first of them; those behind it count on
  Fifo<Leaving> leaving_;     // in order of time
  std::uint64_t misses_ = 0;  // in the FIFO
  const Payload* serving_ = nullptr;
};

}  // namespace reconverge
