// SPDX-License-Identifier: Apache-2.0
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
  /// `sm`: SM whose crossbar port it uses. `textures`: it is the texture cache.
  L1Cache(sc_core::sc_module_name name, const L1CacheParameters& parameters, std::uint32_t sm, Clock clock,
          bool textures = false);

  void invalidate() override;
  /// Between launches: storage of `capacity` bytes, from now on and empty.
  void resize(std::uint64_t capacity);
  Cycle next_event() const override {
    return held_ == nullptr || fills_.empty() ? never : std::max(held_since_, fills_.front().cycle);
  }
  void tick(Cycle now) override;
  std::uint64_t outstanding() const override { return outstanding_; }

 private:
  using Payload = tlm::tlm_generic_payload;

  /// The outcome of a request: refused for lack of room, answered at a known time, or answered later (`never`).
  using Outcome = std::optional<Cycle>;

  tlm::tlm_sync_enum nb_transport_fw(Payload& payload, tlm::tlm_phase& phase, sc_core::sc_time& delay) override;
  tlm::tlm_sync_enum nb_transport_bw(Payload& payload, tlm::tlm_phase& phase, sc_core::sc_time& delay) override;
  /// A request and its decoded fields.
  struct Request {
    Payload& payload;
    MemoryExtension& notes;
    DeviceAddress line;
  };
  static Request request_of(Payload& payload) { return {payload, notes_of(payload), payload.get_address()}; }
  Outcome serve(const Request& request, Cycle arrival);
  Outcome read(const Request& request, Cycle arrival);
  Outcome write(const Request& request, Cycle arrival);
  Outcome write_local(const Request& request, Cycle arrival);
  Outcome atomic(const Request& request, Cycle arrival);
  Outcome bypass(const Request& request, Cycle arrival);
  /// Without storage: forwards the request itself to the next level.
  Outcome pass(const Request& request, Cycle arrival);
  /// Accepts the request: returns the cycle from `arrival` on in which its bank serves it.
  Cycle begin(const Request& request, Cycle arrival);
  Cycle cycles_in_bank(const Request& request) const;
  /// Index of the line, which is marked as used; `none` if it is not present.
  std::uint32_t find(DeviceAddress line);
  /// A line for `address`, whose previous contents are written back; `none` if there is no room for the write-back.
  std::uint32_t make_room(DeviceAddress address, Cycle start);
  /// Invalidates these sectors, which are out of date.
  void drop(DeviceAddress address, SectorMask sectors);
  /// Requests sectors of the request's line from the next level, for the line `index`.
  void fetch(const Request& request, SectorMask sectors, Cycle start, std::uint32_t index);
  /// Forwards the request as it is; no line takes the answer.
  void forward(const Request& request, Cycle start);
  void ask(const Request& request, SectorMask sectors, Cycle start, std::uint32_t miss);
  void send_write(DeviceAddress line, SectorMask sectors, Cycle start);
  void send(Payload& payload, MemoryExtension& notes, Cycle start);
  /// The next level has answered: after `delay`, the data is available or the write is ordered.
  void finish(Payload& request, const sc_core::sc_time& delay);
  void finish_part(Payload& request, Cycle cycle);
  void answer(Payload& payload, Cycle cycle);
  /// Fills data that has arrived by `now` into the lines, and frees its miss registers.
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
    Cycle cycle;           // in which the data arrives
    std::uint32_t ticket;  // of the miss
  };
  Fifo<Fill> fills_;  // in order of time
  std::uint64_t outstanding_ = 0;
  std::vector<Cycle> bank_free_;
  std::uint64_t passed_ = 0;  // reads and atomics without an answer, if there is no storage
  std::uint64_t writes_ = 0;  // writes without an acknowledgement
  Payload* held_ = nullptr;
  Cycle held_since_ = 0;
  const Payload* serving_ = nullptr;
};

}  // namespace reconverge
