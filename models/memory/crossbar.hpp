// SPDX-License-Identifier: Apache-2.0
#pragma once
/// The network between SMs and slices of the second-level cache.
///
/// A packet consists of flits, one for each cycle that it occupies a port. Its head travels for `latency`, and its
/// other flits follow directly. SMs inject in the order of their calls; each SM has a separate injection port. A
/// slice's port accepts packets in their order of arrival. Answers use the port of their SM in the order in which
/// slices send them; all slices send with the same delay.

#include <memory>
#include <systemc>
#include <vector>

#include "blocks/crossbar.hpp"
#include "models/core/calendar.hpp"
#include "models/memory/address_map.hpp"
#include "models/memory/arrival_queue.hpp"
#include "models/protocols/memory_sockets.hpp"

namespace reconverge {

class Crossbar : public sc_core::sc_module, private MemoryInitiator {
 public:
  MemoryTargets<Crossbar> requests;                  ///< any number of initiators of each SM
  sc_core::sc_vector<MemoryInitiatorSocket> slices;  ///< one for each slice, in order

  Crossbar(sc_core::sc_module_name name, const CrossbarParameters& parameters, const AddressMap& map, unsigned sms,
           Calendar& calendar);

  const CrossbarStatistics& statistics() const { return statistics_; }
  /// Requests that were sent and not yet answered.
  std::uint64_t in_flight() const { return statistics_.requests - statistics_.replies; }
  /// Those requests that have not reached a slice yet.
  std::uint64_t waiting() const;
  /// Without requests in flight.
  void archive(StateArchive& state) { state(ports_, injection_free_, ejection_free_); }

 private:
  friend MemoryTargets<Crossbar>;
  /// The port at which requests for one slice arrive.
  class SlicePort {
   public:
    SlicePort(Crossbar& crossbar, std::size_t slice, Calendar& calendar);
    void push(const Packet& packet);
    std::size_t waiting() const { return queue_.size(); }
    void archive(StateArchive& state) { state(queue_, free_); }

   private:
    void grant(Cycle now);

    Crossbar& crossbar_;
    std::size_t slice_;
    ArrivalQueue queue_;
    Cycle free_ = 0;
    Calendar::Alarm alarm_;
  };

  tlm::tlm_sync_enum take(std::uint32_t initiator, tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                          sc_core::sc_time& delay);
  tlm::tlm_sync_enum nb_transport_bw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                     sc_core::sc_time& delay) override;
  std::uint32_t flits(std::uint64_t bytes) const;

  CrossbarParameters parameters_;
  AddressMap map_;
  Calendar& calendar_;
  std::vector<std::unique_ptr<SlicePort>> ports_;
  std::vector<Cycle> injection_free_;  // for each SM
  std::vector<Cycle> ejection_free_;
  CrossbarStatistics statistics_;
};

}  // namespace reconverge
