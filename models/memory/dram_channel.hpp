// SPDX-License-Identifier: Apache-2.0
#pragma once
/// One channel of DRAM and its controller.
///
/// A request waits in order for a free entry of the queue. The scheduler selects one request in the queue for each
/// bank, and issues precharge, activate and the reads or writes of its bursts, one command a cycle, as soon as the
/// timing constraints to earlier commands allow. So one bank is prepared while another transfers data. Rows stay open
/// until another is needed.

#include <array>
#include <systemc>
#include <vector>

#include "blocks/dram.hpp"
#include "models/core/calendar.hpp"
#include "models/memory/address_map.hpp"
#include "models/memory/dram_bank.hpp"
#include "models/memory/fifo.hpp"
#include "models/protocols/memory_sockets.hpp"

namespace reconverge {

class DramChannel : public sc_core::sc_module {
 public:
  /// Reads are answered in the order of their data, writes when the queue accepts them.
  MemoryTargets<DramChannel> requests;

  /// `latency`: from the last data of a read to its answer, in command clocks. Throws InputError if a row cannot hold a
  /// burst.
  DramChannel(sc_core::sc_module_name name, const DramParameters& parameters, const AddressMap& map, Calendar& calendar,
              Cycle latency);

  const DramStatistics& statistics() const { return statistics_; }
  /// Requests that were accepted and not yet answered.
  std::uint64_t in_flight() const { return in_flight_; }
  /// Without requests in flight.
  void archive(StateArchive& state) { state(banks_, next_command_, next_, group_column_, next_refresh_, admitted_); }

 private:
  friend MemoryTargets<DramChannel>;
  enum class Command : std::uint8_t { read, write, activate, precharge };
  /// The next command that a bank needs.
  struct Need {
    Cycle ready = 0;  // only the timing of the bank counts
    Command command = Command::read;
    std::uint64_t rank = 0;  // of two that are ready, the lower rank goes first; its low bits are the bank
  };
  struct Choice {
    Cycle cycle = never;
    std::uint32_t bank = 0;
  };

  tlm::tlm_sync_enum take(std::uint32_t initiator, tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                          sc_core::sc_time& delay);
  void work(Cycle now);
  bool room() const { return queued_ < parameters_.queue; }
  /// Fills the queue; returns whether a request entered.
  bool admit(Cycle now);
  /// Selects a request for `bank`, if it has any.
  void choose_request(std::uint32_t bank);
  bool may_pass(const DramBank& bank) const;
  Need next_need(std::uint32_t bank) const;
  /// The command to issue next, in `from` or later.
  Choice choose_command(Cycle from) const;
  void issue(const Choice& choice);
  void move_data(DramBank& bank, Cycle now);
  /// Carries out the refreshes that were due by `now`: rows are closed, and banks are not activated for some time.
  void refresh(Cycle now);
  bool has_groups() const { return parameters_.bank_groups > 1; }
  Cycle& next(Command command) { return next_[static_cast<std::size_t>(command)]; }
  void answer(tlm::tlm_generic_payload& payload, std::uint32_t initiator, Cycle cycle);

  DramParameters parameters_;
  Cycle latency_;
  AddressMap map_;
  Calendar& calendar_;
  unsigned row_shift_;
  Divisor by_banks_;
  std::array<std::uint8_t, 256> bursts_;  // by the sectors that a request touches
  std::vector<DramRequest> requests_;     // current requests; others refer to them by index
  std::vector<std::uint32_t> idle_;       // free indices
  Fifo<std::uint32_t> backlog_;           // requests that wait for room in the queue
  std::uint64_t queued_ = 0;              // requests in the queue
  std::vector<DramBank> banks_;
  std::uint64_t busy_banks_ = 0;     // bit set: the bank has a selected request
  std::vector<Need> needs_;          // of the busy banks
  Choice planned_;                   // the next command, unless an earlier one becomes possible through new requests
  Cycle next_command_ = 0;           // of any kind
  std::array<Cycle, 4> next_{};      // of each kind, only the timing of the channel
  std::vector<Cycle> group_column_;  // of each group of banks, if there are several: the next read or write
  Cycle next_refresh_ = never;
  std::uint64_t admitted_ = 0;
  std::uint64_t in_flight_ = 0;
  Calendar::Alarm alarm_;
  DramStatistics statistics_;
};

}  // namespace reconverge
