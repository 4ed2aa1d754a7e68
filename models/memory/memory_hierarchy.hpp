// SPDX-License-Identifier: Apache-2.0
#pragma once
/// Everything below the first-level caches: crossbar, slices of the second-level cache, channels of memory, bound
/// together.

#include <memory>
#include <vector>

#include "models/memory/crossbar.hpp"
#include "models/memory/dram_channel.hpp"
#include "models/memory/external_channel.hpp"
#include "models/memory/l2_slice.hpp"

namespace reconverge {

class MemoryHierarchy {
 public:
  /// Creates modules under the module that is being constructed. `sm_clock`: of the SMs, in hertz. Throws
  /// ParameterError under the keys of a GPU (gpu.l2...) if the blocks are inconsistent.
  MemoryHierarchy(const CrossbarParameters& crossbar, const L2CacheParameters& l2, const DramParameters& dram,
                  unsigned sms, std::uint64_t sm_clock)
      : MemoryHierarchy({crossbar, l2, dram}, sms, sm_clock) {}

  /// The parameters of its blocks.
  struct Blocks {
    const CrossbarParameters& crossbar;
    const L2CacheParameters& l2;
    const DramParameters& dram;  ///< only the number of channels counts if they are outside
  };
  /// Memory in place of DRAM channels.
  struct Outside {
    const ExternalMemory& memory;
    const ExternalMemoryParameters& parameters;
    const DeviceMemory& contents;  ///< what it is told to write
  };
  /// `outside`: null for DRAM.
  MemoryHierarchy(const Blocks& blocks, unsigned sms, std::uint64_t sm_clock, const Outside* outside = nullptr);

  auto& requests() { return crossbar_.requests; }
  /// Empties the second-level cache. No request may be in flight.
  void invalidate() {
    for (auto& slice : slices_) slice->invalidate();
  }
  /// Latency between SMs and slices.
  sc_core::sc_time latency() const { return calendar_.clock().time(latency_); }

  /// Notifies `observer` of events in the slices; nullptr: no observer.
  void observe(MemoryObserver* observer) {
    for (auto& slice : slices_) slice->observe(observer);
  }

  const CrossbarStatistics& crossbar_statistics() const { return crossbar_.statistics(); }
  L2CacheStatistics l2_statistics() const;
  DramStatistics dram_statistics() const;
  ExternalMemoryStatistics external_statistics() const;

  /// Time of the last event; may be ahead of SystemC's time.
  sc_core::sc_time reached() const { return timeline_.reached(); }

  /// For a process that serves memory itself (Timeline::serve_by).
  Timeline& timeline() { return timeline_; }

  /// Requests that were sent and not yet answered.
  std::uint64_t in_flight() const { return crossbar_.in_flight(); }
  /// Whether memory is outside the GPU.
  bool is_outside() const { return !outside_.empty(); }
  /// Of these, the requests that memory outside has not answered.
  std::uint64_t outside() const;
  /// Without requests in flight.
  void archive(StateArchive& state) { state(crossbar_, slices_, channels_); }
  /// Throws std::logic_error unless each level accounts for the requests that the level above waits for.
  void check_conservation() const;

 private:
  Cycle latency_;
  AddressMap map_;
  Timeline timeline_;
  Calendar calendar_;                      // of the crossbar
  std::unique_ptr<Calendar> l2_calendar_;  // null: the same as that of the crossbar
  Calendar dram_calendar_;
  Crossbar crossbar_;
  std::vector<std::unique_ptr<L2Slice>> slices_;
  std::vector<std::unique_ptr<DramChannel>> channels_;  // these, or
  std::vector<std::unique_ptr<ExternalChannel>> outside_;
};

}  // namespace reconverge
