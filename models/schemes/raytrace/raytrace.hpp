// SPDX-License-Identifier: Apache-2.0
#pragma once
/// The traversal unit of an SM, as a scheme in addition to a path scheme: it accepts the rays of a trace instruction,
/// returns results when all of them have been traced, and stalls warps while it is full.
///
/// Hits are computed when the instruction issues, like the results of all instructions. The timing follows from the
/// data of the tree that each ray has read: the unit requests these data from the node cache, one part after another,
/// and tests them.

#include <array>
#include <memory>
#include <vector>

#include "blocks/raytrace.hpp"
#include "models/memory/l1_cache.hpp"
#include "models/protocols/scheme.hpp"
#include "models/protocols/scheme_kind.hpp"
#include "models/schemes/raytrace/intersection_tests.hpp"
#include "models/schemes/raytrace/warp_buffer.hpp"

namespace reconverge {

class Raytrace final : public Scheme, private MemoryInitiator {
 public:
  Raytrace(sc_core::sc_module_name name, const RaytraceParameters& parameters, const SchemePlace& place);

  void begin(const SchemeLaunch& launch) override;
  void tick(Cycle now) override;
  std::vector<MemoryFetch>* fetches() override { return &noted_; }
  MemoryInitiatorSocket* next_level() override { return &node_cache_.next_level; }
  std::uint64_t outstanding() const override { return node_cache_.outstanding(); }

  void add_statistics(Statistics& totals) const override;
  const RaytraceStatistics& statistics() const { return statistics_; }

 private:
  /// A request to the node cache for some rays of an instruction.
  struct Fetch {
    std::uint32_t warp = 0;
    LaneMask lanes = 0;
    std::uint32_t awaited = 0;  // requests without an answer, plus one while they are being sent
    Cycle latest = 0;           // when the last answered part is available
  };
  struct Line {
    DeviceAddress address = 0;
    SectorMask sectors = 0;
  };

  void ask(SchemeRequest& request) override;
  void issued(SchemeRequest& request) override;

  void start_fetch(const SharedFetch& shared, Cycle now);
  /// Sends the requests of the current fetch, from cycle `from` on, as far as the cache accepts them.
  void send_lines(Cycle from);
  tlm::tlm_sync_enum nb_transport_bw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                     sc_core::sc_time& delay) override;
  void finish_part(std::uint32_t number, Cycle cycle);
  /// The data of the fetch is available: its rays continue.
  void deliver(const Fetch& fetch);
  /// The ray can request its next data in cycle `ready`, or ends in this cycle.
  void go_on(std::uint32_t number, unsigned lane, Cycle ready);
  /// Returns the results of an instruction, all of whose rays have ended.
  void complete(Cycle now);
  /// Counts the cycles before `now` as busy, if the unit holds rays.
  void count_until(Cycle now);
  /// The next cycle with work.
  Cycle next_work(Cycle now) const;

  RaytraceParameters parameters_;
  Clock clock_;
  RaytraceStatistics statistics_;
  L1Cache node_cache_;
  IntersectionTests tests_;
  MemoryInitiatorSocket requests_;
  ControlInitiatorSocket<Raytrace, IntersectionRequest> intersections_;
  WarpBuffer warps_;
  PayloadPool payloads_;
  std::vector<MemoryFetch> noted_;  // fetches of the instruction that issues
  std::vector<Fetch> fetch_;        // by ticket
  std::vector<std::uint32_t> idle_;
  std::vector<Line> lines_;  // lines that the current fetch must still request, in reverse order
  std::uint32_t sending_ = 0;
  const tlm::tlm_generic_payload* held_ = nullptr;  // the request that the cache has not accepted yet
  Cycle port_free_ = 0;
  Cycle local_ = 0;          // the latest cycle known to have begun
  Cycle counted_ = 0;        // earlier cycles are counted
  Cycle completes_ = never;  // first cycle in which all rays of an instruction have ended
};

/// The kind of scheme: `raytrace` in gpu.sm.scheme.
const SchemeKind& raytrace_scheme();

}  // namespace reconverge
