#pragma once
/// A first-level cache of one SM: for data, or (read_only_cache.hpp) for textures or constants.

#include <algorithm>
#include <optional>
#include <systemc>
#include <vector>

#include "models/memory/fifo.hpp"
#include "models/memory/first_level_cache.hpp"
#include "models/memory/miss_table.hpp"
#include "models/memory/sector_tags.hpp"

namespace reconverge {

class L1Cache : public FirstLevelCache, private MemoryTarget, private MemoryInitiator {
 public:
  /// `sm`: whose port of the crossbar it uses. `textures`: it is that for textures.
  L1Cache(sc_core::sc_module_name name, const L1CacheParameters& parameters, std::uint32_t sm, Clock clock,
          bool textures = false);

  void invalidate() override;
  Cycle next_event() const override {
    return held_ == nullptr || fills_.empty() ? never : std::max(held_since_, fills_.front().cycle);
  }
  void tick(Cycle now) override;
  std::uint64_t outstanding() const override { return outstanding_; }

 private:
  using Payload = tlm::tlm_generic_payload;

  /// What becomes of a request: refused for want of room, answered at a known time, or answered later (`never`).
  using Outcome = std::optional<Cycle>;

  tlm::tlm_sync_enum nb_transport_fw(Payload& payload, tlm::tlm_phase& phase, sc_core::sc_time& delay) override;
  tlm::tlm_sync_enum nb_transport_bw(Payload& payload, tlm::tlm_phase& phase, sc_core::sc_time& delay) override;
  /// A request, and what it says of itself.
  struct Request {
    Payload& payload;
    MemoryExtension& notes;
    DeviceAddress line;
  };
  static Request request_of(Payload& payload) { return {payload, notes_of(payload), payload.get_address()}; }
  Outcome serve(const Request& request, Cycle arrival);
  Outcome read(const Request& request, Cycle arrival);
  Outcome write(const Request& request, Cycle arrival);
  Outcome atomic(const Request& request, Cycle arrival);
  Outcome bypass(const Request& request, Cycle arrival);
  /// Without storage: the request itself goes on to the next level.
  Outcome pass(const Request& request, Cycle arrival);
  /// Takes the request: the cycle from `arrival` on in which its bank does.
  Cycle begin(const Request& request, Cycle arrival);
  /// Index of the line, which is used now; `none` when it is not there.
  std::uint32_t find(DeviceAddress line);
  /// A line for `address`, whose former owner is written back; `none` when there is no room for that.
  std::uint32_t make_room(DeviceAddress address, Cycle start);
  /// What the first level holds of these sectors is out of date.
  void drop(DeviceAddress address, SectorMask sectors);
  /// Asks the next level for sectors of the request's line, which the line `index` takes.
  void fetch(const Request& request, SectorMask sectors, Cycle start, std::uint32_t index);
  /// Sends the request there as it is; no line takes the answer.
  void forward(const Request& request, Cycle start);
  void ask(const Request& request, SectorMask sectors, Cycle start, std::uint32_t miss);
  void send_write(DeviceAddress line, SectorMask sectors, Cycle start);
  void send(Payload& payload, MemoryExtension& notes, Cycle start);
  /// The next level has answered: the data is there, or the write has its place, after `delay`.
  void finish(Payload& request, const sc_core::sc_time& delay);
  void finish_part(Payload& request, Cycle cycle);
  void answer(Payload& payload, Cycle cycle);
  /// Lets data that is there by `now` into the lines, and frees its miss registers.
  void let_in(Cycle now);

  bool cached() const { return parameters_.capacity != 0; }

  L1CacheParameters parameters_;
  std::uint32_t sm_;
  Clock clock_;
  bool textures_;
  unsigned line_shift_;
  SectorTags tags_;
  MissTable misses_;
  PayloadPool payloads_;
  struct Fill {
    Cycle cycle;           // in which the data is there
    std::uint32_t ticket;  // of which miss
  };
  Fifo<Fill> fills_;  // in order of time
  std::uint64_t outstanding_ = 0;
  std::vector<Cycle> bank_free_;
  std::uint64_t passed_ = 0;  // reads and atomics that have not been answered, without storage
  std::uint64_t writes_ = 0;  // that have not been acknowledged
  Payload* held_ = nullptr;
  Cycle held_since_ = 0;
  const Payload* serving_ = nullptr;
};

}  // namespace reconverge
