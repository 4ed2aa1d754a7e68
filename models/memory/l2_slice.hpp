// SPDX-License-Identifier: Apache-2.0
#pragma once
/// One slice of the second-level cache.
///
/// Requests are looked up in the order in which they arrive, one a cycle; a request that cannot be accepted stalls
/// those after it. When its data is available, each request in turn uses the data port, and its answer departs
/// `latency` later: so answers leave in the order in which the slice sends them. Plain writes do not need the data of
/// sectors that they write in full.

#include <optional>
#include <systemc>

#include "blocks/l2_cache.hpp"
#include "models/core/calendar.hpp"
#include "models/memory/address_map.hpp"
#include "models/memory/fifo.hpp"
#include "models/memory/sector_tags.hpp"
#include "models/memory/slice_misses.hpp"
#include "models/protocols/memory_observer.hpp"
#include "models/protocols/memory_sockets.hpp"

namespace reconverge {

class L2Slice : public sc_core::sc_module, private MemoryTarget, private MemoryInitiator {
 public:
  MemoryTargetSocket requests;
  MemoryInitiatorSocket memory;  ///< reads are answered in order

  L2Slice(sc_core::sc_module_name name, const L2CacheParameters& parameters, const AddressMap& map, Calendar& calendar);

  /// Notifies `observer` of its reads and of its traffic with memory; nullptr: no observer.
  void observe(MemoryObserver* observer) { observer_ = observer; }

  /// Invalidates all lines; memory has their data already. No request may be in flight.
  void invalidate() { tags_.clear(); }

  const L2CacheStatistics& statistics() const { return statistics_; }
  /// Requests that were accepted and not yet answered.
  std::uint64_t in_flight() const { return in_flight_; }
  /// Reads and writes that memory has not answered yet.
  std::uint64_t at_memory() const { return payloads_.lent() + passed_; }
  /// Those of them that memory has answered for a future cycle.
  std::uint64_t fills_waiting() const { return fills_.size(); }
  /// Without requests in flight.
  void archive(StateArchive& state) { state(tags_, tags_free_, port_free_); }

 private:
  /// A request, relative to its line.
  struct Request {
    tlm::tlm_generic_payload* payload;
    DeviceAddress line;
    std::uint64_t offset;  // of the line in the slice
    SectorMask touched;
    SectorMask whole;   // these, rounded to sectors of this cache
    SectorMask needed;  // sectors of `whole` that must be present: sectors that are read or partially written
    bool write;         // plain, not atomic
    bool modifies;
  };
  struct Arrival {
    Cycle cycle;
    Request request;
  };
  /// Data that memory has sent.
  struct Fill {
    Cycle cycle;
    tlm::tlm_generic_payload* payload;
  };
  struct Answer {
    tlm::tlm_generic_payload* payload;
    Cycle port_cycles;
  };
  using Stall = std::optional<L2CacheStalls>;

  tlm::tlm_sync_enum nb_transport_fw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                     sc_core::sc_time& delay) override;
  tlm::tlm_sync_enum nb_transport_bw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                     sc_core::sc_time& delay) override;
  void work(Cycle now);
  void fill();
  void look_up_next(Cycle now);
  void answer_next(Cycle now);

  Request describe(tlm::tlm_generic_payload& payload) const;
  /// Accepts the request, or returns why it cannot be accepted now; then nothing has changed.
  Stall look_up(const Request& request);
  /// The same without storage: a read is forwarded to memory.
  Stall pass(const Request& request);
  void count(const Request& request, bool line_found, SectorMask missing, SectorMask fetched);
  /// Makes room in the set, which has a line to replace.
  void allocate(const Request& request, std::uint32_t victim);
  void fetch(std::uint32_t miss, DeviceAddress line, SectorMask sectors);
  void read_from_memory(tlm::tlm_generic_payload& payload);
  void write_to_memory(DeviceAddress line, SectorMask sectors);
  /// For the observer, in SystemC's units.
  std::uint64_t time_now() const { return calendar_.clock().value_of(calendar_.now()); }
  bool writes_fit(unsigned more) const { return writes_out_ + more <= parameters_.write_buffer; }
  /// Cycles in which an atomic serves the further lanes with the same address.
  Cycle in_turn(tlm::tlm_generic_payload& payload) const;
  void answer_in_turn(tlm::tlm_generic_payload& payload);
  /// Rounded up to sectors of this cache, which may be longer than the 32 bytes of the protocol.
  SectorMask rounded_up(SectorMask sectors) const;
  SectorMask rounded_down(SectorMask sectors) const;

  L2CacheParameters parameters_;
  AddressMap map_;
  Calendar& calendar_;
  SectorTags tags_;
  SliceMisses misses_;
  Fifo<Arrival> input_;
  Fifo<Fill> fills_;
  Fifo<Answer> answers_;
  Cycle tags_free_ = 0;
  Cycle port_free_ = 0;
  Stall stalled_;  // why the next request is stalled, and since when; only memory can change that
  Cycle stalled_since_ = 0;
  bool retry_ = false;
  std::uint64_t writes_out_ = 0;
  std::uint64_t in_flight_ = 0;
  std::uint64_t passed_ = 0;  // of these, reads that were forwarded to memory
  PayloadPool payloads_;
  MemoryObserver* observer_ = nullptr;
  Calendar::Alarm alarm_;
  L2CacheStatistics statistics_;
};

}  // namespace reconverge
