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
///
/// The collector may work several times per cycle. It then keeps the time of units and banks in steps; results come in
/// the first step of a cycle.

#include <systemc>
#include <vector>

#include "blocks/operand_collector.hpp"
#include "models/execution/program_image.hpp"
#include "models/protocols/divergence.hpp"
#include "models/protocols/issue.hpp"
#include "models/sm/bank_ring.hpp"
#include "models/sm/busy_ring.hpp"
#include "models/sm/pipe_table.hpp"
#include "models/sm/steps.hpp"

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

  struct Neighbours {
    bool one_pipeline = false;  ///< one for the whole SM, in which nothing issues without the load/store unit
    bool lines = false;         ///< the load/store unit writes lines of texture fetches one by one
  };
  /// `pipes`: of the lanes that it feeds.
  OperandCollector(sc_core::sc_module_name name, const OperandCollectorParameters& parameters, const PipeTable& pipes,
                   const Neighbours& neighbours);

  void begin();

  const OperandCollectorStatistics& statistics() const { return statistics_; }

 private:
  void b_transport(IssueRequest& request, sc_core::sc_time& delay) override;
  void b_transport(ResultRequest& request, sc_core::sc_time& delay) override;
  void b_transport(BankRequest& request, sc_core::sc_time& delay) override;
  /// The units for one kind of instructions, and the latches around them.
  struct Pool {
    std::vector<Cycle> units;   // step in which each is free
    std::size_t unit = 0;       // unit of the last instruction
    std::vector<Cycle> before;  // latches, cycle in which each is free
    std::vector<Cycle> behind;
    /// The unit that becomes free first.
    std::size_t find_unit(Cycle step) const;
  };
  enum Kind : std::size_t { arithmetic, special, memory };

  void collect(IssueRequest& request, sc_core::sc_time& delay);
  /// The same with units for each kind, latches, ports of units, or several steps; a separate function, as most
  /// machines do not use it.
  [[gnu::noinline]] void collect_apart(IssueRequest& request, sc_core::sc_time& delay);
  /// Whether the load/store unit has room.
  bool ask_load_store(IssueRequest& request, sc_core::sc_time& delay);
  /// When the next instruction can enter the pool.
  Cycle earliest_entry(const Pool& pool) const;
  /// Reads the rows, and sends the instruction to its pipe.
  void enter(Pool& pool, IssueRequest& request, sc_core::sc_time& delay);
  /// When the rows of a result that comes at `result` have been written. One function for results at issue and later
  /// ones: inlined twice, it would evict other code from the host's instruction cache.
  [[gnu::noinline]] Cycle write(std::uint32_t slot, const RowList& rows, Cycle now, Cycle result);
  /// The same from cycle `from` on, without the bus, if there are several steps or lines are written one by one. In the
  /// latter case, the rows are written in that cycle, and reads give way.
  Cycle write_apart(std::uint32_t slot, const RowList& rows, Cycle now, Cycle from);
  /// Writes the rows for a line of a texture fetch, if no other result is written to one of their banks in this step.
  void write_line(ResultRequest& request);
  /// The first step in which a unit has all of the rows; it reads the first in step `from` or later. `now`: a cycle.
  Cycle read(std::uint32_t slot, const RowList& rows, Cycle now, Cycle from);

  PipeTable pipes_;
  Steps steps_;
  std::array<Pool, 3> pools_;  // by Kind
  unsigned unit_reads_;
  Neighbours neighbours_;
  bool apart_ = false;         // collect_apart collects
  bool writes_apart_ = false;  // write_apart writes
  BankRing banks_;
  BankRing written_banks_;  // the same only for writes, while lines are written one by one
  BusyUnits result_buses_;
  OperandCollectorStatistics statistics_;
};

}  // namespace reconverge
