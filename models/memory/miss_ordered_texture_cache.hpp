// SPDX-License-Identifier: Apache-2.0
#pragma once
/// A texture cache whose hits pass misses, and whose misses are answered in order (GPGPU-Sim 2.1: shader.cc,
/// mshr_shader_unit; gpu-cache.cc, caches without writes).
///
/// A miss reserves no line: it allocates a miss register and a position in the order, and when its data arrives, it
/// replaces the least recently used line. So no request waits for a line that can be replaced. A request for a line
/// that is already being fetched waits with the first.

#include <array>

#include "models/memory/fifo.hpp"
#include "models/memory/texture_cache.hpp"

namespace reconverge {

class MissOrderedTextureCache : public TextureCache, private MemoryInitiator {
 public:
  /// `sm`: SM whose crossbar port it uses.
  MissOrderedTextureCache(sc_core::sc_module_name name, const TextureCacheParameters& parameters, std::uint32_t sm,
                          Clock clock);

  void invalidate() override;
  Cycle next_event() const override { return held_until(leaving_.empty() ? never : leaving_.front()); }

 private:
  /// A request that found no line.
  struct Miss {
    Payload* request = nullptr;
    DeviceAddress line = 0;
    Cycle ready = never;  // when its data arrives; `never`: not known
  };
  /// A line that arrives.
  struct Fill {
    Cycle cycle = 0;
    DeviceAddress line = 0;
  };

  /// An upper bound of the number of entries of each line: lines share counters, and zero makes a search unnecessary.
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
  /// When a line that is being fetched will arrive, `never` if that is not known; nothing: it is not being fetched.
  std::optional<Cycle> find_coming(DeviceAddress line);
  /// Fills lines that have arrived by `now`, and frees the registers of answered misses.
  void let_in(Cycle now);
  /// The data of miss `number` arrives in `cycle`, for all that wait for the same line.
  void fill(std::uint32_t number, Cycle cycle);
  /// Answers the first misses whose data time is known, except `serving_`, whose answer it returns.
  std::optional<Cycle> answer_in_order();

  Fifo<Miss> waiting_;       // misses whose answer time is not known, in order
  std::uint32_t first_ = 0;  // number of the first of them; later ones count up
  Fifo<Fill> fills_;         // in order of time
  LineCounts coming_;        // of `fills_`, and of misses in `waiting_` whose data time is not known
  Fifo<Cycle> leaving_;      // when answered misses free their registers, in order
  const Payload* serving_ = nullptr;
};

}  // namespace reconverge
