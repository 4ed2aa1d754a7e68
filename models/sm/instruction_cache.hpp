// SPDX-License-Identifier: Apache-2.0
#pragma once
/// The instruction cache of an SM.

#include <systemc>

#include "blocks/instruction_cache.hpp"
#include "models/protocols/fetch.hpp"
#include "models/protocols/memory.hpp"
#include "models/protocols/memory_sockets.hpp"
#include "models/sm/line_store.hpp"

namespace reconverge {

class InstructionCache final : public sc_core::sc_module, public ControlTarget<LineFetch>, private MemoryInitiator {
 public:
  ControlTargetSocket<LineFetch> requests;
  ControlInitiatorSocket<InstructionCache, LineFill> fills;
  MemoryInitiatorSocket next_level;

  /// `sm`: the SM whose crossbar port the cache uses.
  InstructionCache(sc_core::sc_module_name name, const InstructionCacheParameters& parameters, std::uint64_t line_bytes,
                   std::uint32_t sm, Clock clock);

  /// Invalidates all lines, for the code of another kernel.
  void begin() { lines_.clear(); }

  /// Number of requests that the next level has not answered.
  std::uint64_t outstanding() const { return payloads_.lent(); }

  /// Says when the line is available, and requests it from the next level if necessary.
  void serve(LineFetch& request);

  const InstructionCacheStatistics& statistics() const { return statistics_; }

 private:
  void b_transport(LineFetch& request, sc_core::sc_time& /*delay*/) override { serve(request); }
  tlm::tlm_sync_enum nb_transport_bw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                     sc_core::sc_time& delay) override;
  /// Requests the line from the next level at `cycle`. Returns when the line is available, if the next level answers at
  /// once.
  Cycle fetch(DeviceAddress line, Cycle cycle);

  InstructionCacheParameters parameters_;
  unsigned line_bytes_;
  std::uint32_t sm_;
  Clock clock_;
  LineStore lines_;
  PayloadPool payloads_;
  InstructionCacheStatistics statistics_;
};

}  // namespace reconverge
