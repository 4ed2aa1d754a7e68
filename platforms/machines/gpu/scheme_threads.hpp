// SPDX-License-Identifier: Apache-2.0
#pragma once
/// The threads that a scheme begins at run time, in free slots: at any pc, with an identity, and without a block.

#include "models/protocols/scheme.hpp"
#include "platforms/machines/gpu/grid_threads.hpp"
#include "platforms/machines/gpu/thread_source.hpp"

namespace reconverge {

class SchemeThreads final : public ThreadSource {
 public:
  /// `name`: of its socket. `grid`: its threads compete for the slots. All must outlive it.
  SchemeThreads(const char* name, Scheme& scheme, WarpSlots& slots, const GridThreads& grid,
                sc_core::sc_port<BlockSource>& blocks);

  /// `turns_end`: until then SMs take blocks in turns, and the slots are reserved for these.
  void begin(const Launch& launch, Cycle turns_end);

  bool waits() const override {
    return scheme_.has_threads() && slots_.free() != 0 && !(scheme_.yields_to_grid() && grid_.left());
  }
  void start(Cycle now) override;
  bool drained() const override { return running_ == 0 && scheme_.drained(); }
  void ended(Warp& warp, LaneMask lanes, Cycle now) override;
  void barrier_reached(Warp& warp, const kernel::Instruction& barrier, LaneMask lanes, Cycle now) override;

 private:
  ControlInitiatorSocket<SchemeThreads, StartRequest> starts_;
  Scheme& scheme_;
  WarpSlots& slots_;
  const GridThreads& grid_;
  sc_core::sc_port<BlockSource>& blocks_;
  const Launch* launch_ = nullptr;
  Cycle turns_end_ = 0;
  std::uint64_t running_ = 0;
};

}  // namespace reconverge
