// SPDX-License-Identifier: Apache-2.0
#pragma once
/// The operand collector of one scheduler, or of an SM, in front of single-ported register banks (Coon et al., US
/// patent 7834881; GPGPU-Sim manual).
///
/// An instruction allocates a unit when it issues, reads its rows, one per bank and cycle, and frees the unit when its
/// pipe accepts it. With latches before and after the units (GPGPU-Sim 3.2.1, shader.cc, opndcoll_rfu_t) it waits in
/// these for a unit and for its pipe. Its result needs the result bus and then the bank of each row. Older instructions
/// have priority everywhere, so reservations in the order of issue give the exact cycles: a later instruction can never
/// take them.

#include <systemc>
#include <vector>

#include "blocks/operand_collector.hpp"
#include "models/execution/program_image.hpp"
#include "models/protocols/divergence.hpp"
#include "models/protocols/issue.hpp"
#include "models/sm/busy_ring.hpp"
#include "models/sm/pipe_table.hpp"

namespace reconverge {

class OperandCollector : public sc_core::sc_module,
                         private ControlTarget<IssueRequest>,
                         private ControlTarget<ResultRequest>,
                         private ControlTarget<BankRequest> {
 public:
  ControlTargetSocket<IssueRequest> issue;
  ControlTargetSocket<ResultRequest> results;
  ControlTargetSocket<BankRequest> banks;  ///< for schemes that move registers
  ControlInitiatorSocket<OperandCollector, IssueRequest> lanes;
  ControlInitiatorSocket<OperandCollector, IssueRequest> load_store;

  /// `pipes`: of the lanes that it feeds. `one_pipeline`: of the whole SM, in which nothing issues without the
  /// load/store unit.
  OperandCollector(sc_core::sc_module_name name, const OperandCollectorParameters& parameters, const PipeTable& pipes,
                   bool one_pipeline = false);

  void begin();

  const OperandCollectorStatistics& statistics() const { return statistics_; }

 private:
  void b_transport(IssueRequest& request, sc_core::sc_time& delay) override;
  void b_transport(ResultRequest& request, sc_core::sc_time& delay) override;
  void b_transport(BankRequest& request, sc_core::sc_time& delay) override;
  /// The units for one kind of instructions, and the latches around them.
  struct Pool {
    std::vector<Cycle> units;   // when each is free
    std::size_t unit = 0;       // unit of the last instruction
    std::vector<Cycle> before;  // latches, when each is free
    std::vector<Cycle> behind;
    /// Whether an instruction can enter in cycle `now`, and when the next can.
    bool room(Cycle now) const;
    Cycle earliest_entry() const;
    /// The unit that becomes free first.
    std::size_t find_unit(Cycle now) const;
  };
  enum Kind : std::size_t { arithmetic, special, memory };

  void collect(IssueRequest& request, sc_core::sc_time& delay);
  /// The same with units for each kind, latches, or ports of units; a separate function, as most machines do not use
  /// it.
  [[gnu::noinline]] void collect_apart(IssueRequest& request, sc_core::sc_time& delay);
  /// Whether the load/store unit has room.
  bool ask_load_store(IssueRequest& request, sc_core::sc_time& delay);
  /// Reads the rows, and sends the instruction to its pipe.
  void enter(Pool& pool, IssueRequest& request, sc_core::sc_time& delay);
  /// When the rows of a result that comes at `result` have been written. One function for results at issue and later
  /// ones: inlined twice, it would evict other code from the host's instruction cache.
  [[gnu::noinline]] Cycle write(std::uint32_t slot, const RowList& rows, Cycle now, Cycle result);
  /// The first cycle in which a unit has all of the rows; it reads the first in `from` or later.
  Cycle read(std::uint32_t slot, const RowList& rows, Cycle now, Cycle from);
  /// The first cycle in which all of the rows have been read from their banks, each from `from` on.
  Cycle reserve_banks(std::uint32_t slot, const RowList& rows, Cycle now, Cycle from) {
    const auto bank_of = [this, slot](std::uint16_t row) { return bank_of_row(slot, row); };
    return banks_.reserve_each(rows, bank_of, now, from);
  }
  unsigned bank_of_row(std::uint32_t slot, std::uint16_t row) const {
    const unsigned bank = bank_of_number_[row] + bank_of_number_[slot];
    return bank >= bank_count_ ? bank - bank_count_ : bank;
  }

  PipeTable pipes_;
  std::array<Pool, 3> pools_;  // by Kind
  unsigned unit_reads_;
  bool one_pipeline_;
  bool apart_ = false;  // collect_apart collects
  BusyRing banks_;
  unsigned bank_count_;
  std::vector<std::uint8_t> bank_of_number_;  // a row's or a slot's number modulo the banks
  BusyUnits result_buses_;
  OperandCollectorStatistics statistics_;
};

}  // namespace reconverge
