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

#include <algorithm>
#include <systemc>
#include <vector>

#include "blocks/operand_collector.hpp"
#include "models/execution/program_image.hpp"
#include "models/execution/warp.hpp"
#include "models/protocols/divergence.hpp"
#include "models/protocols/issue.hpp"
#include "models/sm/bank_ring.hpp"
#include "models/sm/busy_ring.hpp"
#include "models/sm/lanes.hpp"
#include "models/sm/load_store.hpp"
#include "models/sm/pipe_table.hpp"
#include "models/sm/steps.hpp"

namespace reconverge {

class OperandCollector final : public sc_core::sc_module,
                               public ControlTarget<IssueRequest>,
                               private ControlTarget<ResultRequest>,
                               private ControlTarget<BankRequest> {
 public:
  ControlTargetSocket<IssueRequest> issue;
  ControlTargetSocket<ResultRequest> results;
  ControlTargetSocket<BankRequest> banks;  ///< for schemes that move registers
  DirectInitiatorSocket<OperandCollector, IssueRequest, Lanes> lanes;
  DirectInitiatorSocket<OperandCollector, IssueRequest, LoadStore> load_store;

  struct Neighbours {
    bool one_pipeline = false;  ///< one for the whole SM, in which nothing issues without the load/store unit
    bool lines = false;         ///< the load/store unit writes lines of texture fetches one by one
  };
  /// `pipes`: of the lanes that it feeds.
  OperandCollector(sc_core::sc_module_name name, const OperandCollectorParameters& parameters, PipeTable pipes,
                   const Neighbours& neighbours);

  void begin();

  /// Collects the operands of the instruction and sends it to its pipe, unless one of them refuses it.
  void serve(IssueRequest& request);

  const OperandCollectorStatistics& statistics() const { return statistics_; }

 private:
  void b_transport(IssueRequest& request, sc_core::sc_time& /*delay*/) override { serve(request); }
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

  void collect(IssueRequest& request);
  /// The same with units for each kind, latches, ports of units, or several steps; a separate function, as most
  /// machines do not use it.
  [[gnu::noinline]] IssueRequest collected_apart(IssueRequest request);
  /// Whether the load/store unit has room.
  bool ask_load_store(IssueRequest& request) {
    IssueRequest asked = request;
    asked.only_ask = true;
    load_store.send(asked);
    request.refusal = asked.refusal;
    request.refused = asked.refused;
    request.retry = asked.retry;
    return request.refusal == Refusal::none;
  }
  void send_on(IssueRequest& request) {
    if (!request.decoded->memory) return lanes.send(request);
    // A copy, for the reason that DirectInitiatorSocket gives.
    IssueRequest sent = request;
    load_store.send(sent);
    request = sent;
  }
  /// When the next instruction can enter the pool.
  Cycle earliest_entry(const Pool& pool) const;
  /// Reads the rows, and sends the instruction to its pipe.
  void enter(Pool& pool, IssueRequest& request);
  /// When the rows of a result that comes at `result` have been written. One function for results at issue and later
  /// ones: inlined twice, it would evict other code from the host's instruction cache.
  [[gnu::noinline]] Cycle write(std::uint32_t slot, const RowList& rows, Cycle now, Cycle result);
  /// The same from cycle `from` on, without the bus, if there are several steps or lines are written one by one. In the
  /// latter case, the rows are written in that cycle, and reads give way.
  [[gnu::noinline]] Cycle write_apart(std::uint32_t slot, const RowList& rows, Cycle now, Cycle from);
  /// Writes the rows for a line of a texture fetch, if no other result is written to one of their banks in this step.
  void write_line(ResultRequest& request);
  /// The first step in which a unit has all of the rows; it reads the first in step `from` or later. `now`: a cycle.
  Cycle read(std::uint32_t slot, const RowList& rows, Cycle now, Cycle from);

  PipeTable pipes_;
  Steps steps_;
  std::array<Pool, 3> pools_;  // by Kind
  unsigned unit_reads_;
  Neighbours neighbours_;
  bool apart_ = false;         // collected_apart collects
  bool writes_apart_ = false;  // write_apart writes
  BankRing banks_;
  BankRing written_banks_;  // the same only for writes, while lines are written one by one
  BusyUnits result_buses_;
  OperandCollectorStatistics statistics_;
};

inline void OperandCollector::serve(IssueRequest& request) {
  if (neighbours_.one_pipeline && !request.queued && !request.decoded->memory && !ask_load_store(request)) [[unlikely]]
    return;
  if (!pools_[arithmetic].units.empty()) {
    collect(request);
  } else {
    request.operands = request.now;
    send_on(request);
  }
  if (request.refusal != Refusal::none) return;
  statistics_.reads += request.decoded->rows.read.size();
  statistics_.writes += request.decoded->rows.written.size();
}

inline void OperandCollector::collect(IssueRequest& request) {
  if (apart_) [[unlikely]] {
    request = collected_apart(request);
    return;
  }
  if (request.decoded->memory && !ask_load_store(request)) return;
  Pool& pool = pools_[arithmetic];
  pool.unit = pool.find_unit(request.now);
  Cycle& unit = pool.units[pool.unit];
  if (unit > request.now) {
    request.refusal = Refusal::collector;
    request.retry = unit;
    return;
  }
  const std::uint32_t slot = request.warp->slot;
  request.operands = banks_.reserve(slot, request.decoded->rows.read, request.now, request.now);
  request.collected = true;
  send_on(request);
  unit = request.start + 1;
  statistics_.read_wait_cycles += request.operands - request.now;
  statistics_.pipe_wait_cycles += request.start - request.operands;
  if (request.result < never && !request.written) {
    request.result = write(slot, request.decoded->rows.written, request.now, request.result);
  }
}

inline std::size_t OperandCollector::Pool::find_unit(Cycle step) const {
  // Units nearly always become free in the order in which they were allocated.
  const std::size_t next = after(unit, units.size());
  if (units[next] <= step) return next;
  return static_cast<std::size_t>(std::ranges::min_element(units) - units.begin());
}

}  // namespace reconverge
