// SPDX-License-Identifier: Apache-2.0
#pragma once
/// Instruction fetch of one scheduler, or of all schedulers of an SM: a buffer for each warp, and optionally a separate
/// cache (L0).
///
/// There are two kinds of buffer:
/// - A buffer for two groups of instructions, the current one and the next. The next group is requested when the warp
///   enters the current group.
/// - A buffer that is refilled from the pc of the warp when it is empty. A jump that empties the buffer has caused a
///   useless request for the instruction after it (GPGPU-Sim 3.2.1, shader.cc, fetch and decode).
///
/// The cache receives one fetch per cycle, in the order of the warps' requests.

#include <optional>
#include <systemc>
#include <vector>

#include "blocks/instruction_fetch.hpp"
#include "models/protocols/fetch.hpp"
#include "models/sm/busy_ring.hpp"
#include "models/sm/instruction_cache.hpp"
#include "models/sm/line_store.hpp"

namespace reconverge {

class InstructionFetch final : public sc_core::sc_module, public ControlTarget<FetchRequest> {
 public:
  ControlTargetSocket<FetchRequest> requests;
  DirectInitiatorSocket<InstructionFetch, LineFetch, InstructionCache> next_level;

  /// `cache_latency`: latency of the SM's cache, for a separate cache (L0).
  InstructionFetch(sc_core::sc_module_name name, const InstructionFetchParameters& parameters, Cycle cache_latency,
                   std::size_t warp_slots);

  /// Begins a launch of a program of `instructions` instructions, whose code replaces the contents of the cache.
  void begin(std::uint64_t instructions);

  /// Receives the time at which a line with unknown time is available. Calls `visit(slot, ready)` for each warp whose
  /// next instruction is in the line.
  template <typename Visit>
  void fill(const LineFill& fill, Visit&& visit) {
    const Cycle filled = fill.filled + cache_latency_;
    if (own_) own_->fill(fill.line, filled);
    for (std::uint32_t slot = 0; slot < buffers_.size(); ++slot) {
      for (Group* group : {&buffers_[slot].current, &buffers_[slot].next}) {
        if (group->ready < never || line_of(group->first) != fill.line) continue;
        group->ready = filled + parameters_.latency;
        if (group == &buffers_[slot].current) visit(slot, group->ready);
      }
    }
  }

  /// Says when the next instruction of a warp is in its buffer, and fetches it if necessary.
  void serve(FetchRequest& request);

  const InstructionFetchStatistics& statistics() const { return statistics_; }

 private:
  // Farther than a group from every instruction.
  static constexpr kernel::Pc nowhere = kernel::no_pc / 2;
  struct Group {
    Cycle ready = 0;  // `never`: not yet known
    kernel::Pc first = nowhere;

    bool has(kernel::Pc pc, kernel::Pc size) const { return pc - first < size; }
  };
  struct Buffer {
    Group current;
    Group next;
  };

  void b_transport(FetchRequest& request, sc_core::sc_time& /*delay*/) override { serve(request); }
  void fill_ahead(FetchRequest& request);
  void fill_empty(FetchRequest& request);
  /// Requests the instructions from `first` on, in cycle `from` or as soon as the port is free. Returns when they are
  /// in the buffer.
  Cycle fetch(kernel::Pc first, Cycle now, Cycle from);
  /// Requests a line of the next level at `cycle`; returns when it is available here.
  Cycle request_line(DeviceAddress line, Cycle now, Cycle cycle);
  /// Requests the lines after `line`, which is fetched at `cycle`, if they belong to the stream.
  void prefetch(DeviceAddress line, Cycle now, Cycle cycle);
  DeviceAddress line_of(kernel::Pc first) const {
    return (code_address + first * parameters_.instruction_bytes) & ~(parameters_.line - 1);
  }

  InstructionFetchParameters parameters_;
  std::optional<LineStore> own_;
  DeviceAddress stream_ = 0;      // first line of the stream buffer, which begins after a miss
  DeviceAddress stream_end_ = 0;  // first line that it has not requested
  Cycle cache_latency_;
  BusyRing port_;
  kernel::Pc end_ = 0;           // end of the program
  std::vector<Buffer> buffers_;  // by warp slot
  InstructionFetchStatistics statistics_;
};

}  // namespace reconverge
