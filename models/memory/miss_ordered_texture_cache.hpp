#pragma once
/// A texture cache whose hits pass, and whose misses are answered in order (GPGPU-Sim 2.1: shader.cc, mshr_shader_unit;
/// gpu-cache.cc, caches without writes).
///
/// A miss reserves no line: it takes a miss register and its place in the order, and its data takes the line used least
/// recently when it comes. So no request waits for a line that can be replaced. One for a line that is on its way
/// already waits with the first.

#include <array>

#include "models/memory/fifo.hpp"
#include "models/memory/texture_cache.hpp"

namespace reconverge {

class MissOrderedTextureCache : public TextureCache, private MemoryInitiator {
 public:
  /// `sm`: whose port of the crossbar it uses.
  MissOrderedTextureCache(sc_core::sc_module_name name, const TextureCacheParameters& parameters, std::uint32_t sm,
                          Clock clock);

  void invalidate() override;
  Cycle next_event() const override { return held_until(leaving_.empty() ? never : leaving_.front()); }

 private:
  /// A request that found no line.
  struct Miss {
    Payload* request = nullptr;
    DeviceAddress line = 0;
    Cycle ready = never;  // its data is here; `never`: not known
  };
  /// A line that comes.
  struct Fill {
    Cycle cycle = 0;
    DeviceAddress line = 0;
  };

  /// How many there are of each line at most: lines share counters, so that most need not be looked for.
  class LineCounts {
   public:
    void add(DeviceAddress line) { ++count_of(line); }
    void remove(DeviceAddress line) { --count_of(line); }
    unsigned most(DeviceAddress line) { return count_of(line); }

   private:
    static constexpr std::size_t counters = 1024;
    std::uint16_t& count_of(DeviceAddress line) {
      const DeviceAddress sector = line / sector_bytes;
      return counts_[(sector ^ sector / counters) % counters];
    }
    std::array<std::uint16_t, counters> counts_{};
  };

  tlm::tlm_sync_enum nb_transport_bw(Payload& payload, tlm::tlm_phase& phase, sc_core::sc_time& delay) override;
  std::optional<Cycle> serve(Payload& payload, Cycle arrival) override;
  std::optional<Cycle> miss(Payload& payload, Cycle start);
  /// When a line that is on its way will be here, `never` where that is not known; nothing: it is not.
  std::optional<Cycle> find_coming(DeviceAddress line);
  /// Lets lines in that have come by `now`, and frees the registers of answered misses.
  void let_in(Cycle now);
  /// The data of miss `number` is here in `cycle`, for all that wait for the same line.
  void fill(std::uint32_t number, Cycle cycle);
  /// Answers the first misses whose data is known to come, but for `serving_`, whose answer it gives.
  std::optional<Cycle> answer_in_order();

  Fifo<Miss> waiting_;       // those whose answer is not known, in order
  std::uint32_t first_ = 0;  // the number of the first of them; those behind it count on
  Fifo<Fill> fills_;         // in order of time
  LineCounts coming_;        // of `fills_`, and of those in `waiting_` whose data is not known to come
  Fifo<Cycle> leaving_;      // when misses that are answered give their registers back, in order
  const Payload* serving_ = nullptr;
};

}  // namespace reconverge
