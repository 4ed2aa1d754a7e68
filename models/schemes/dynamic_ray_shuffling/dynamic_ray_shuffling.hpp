// SPDX-License-Identifier: Apache-2.0
#pragma once
/// Dynamic ray shuffling, a scheme that works in addition to one that manages paths. It keeps the rays that no warp
/// works on, tells warps what to do, and swaps rays through the register banks when these are free. The decisions come
/// from the model, the RTL, or both in lock step.

#include <optional>
#include <vector>

#include "models/protocols/scheme.hpp"
#include "models/schemes/dynamic_ray_shuffling/ideal_shuffler.hpp"
#include "models/schemes/dynamic_ray_shuffling/ray_rows.hpp"
#include "models/schemes/dynamic_ray_shuffling/ray_shuffler.hpp"
#include "models/schemes/dynamic_ray_shuffling/row_stacks.hpp"

namespace reconverge {

class DynamicRayShuffling : public Scheme {
 public:
  std::uint64_t registers_taken(const kernel::Program& program) const override;
  /// Begins a launch, whether or not its kernel uses rdctrl. Throws ParameterError when the implementation does not
  /// support that many warps.
  void begin(const SchemeLaunch& launch) override;
  OptionalControlTargetSocket<StackRequest>* stack_accesses() override {
    return parameters_.stacks == DynamicRayShufflingStacks::row ? &stack_target_.accesses : nullptr;
  }

  void add_statistics(Statistics& totals) const override { totals.of<DynamicRayShufflingStatistics>() += statistics_; }
  const DynamicRayShufflingStatistics& statistics() const { return statistics_; }

 protected:
  DynamicRayShuffling(sc_core::sc_module_name name, const DynamicRayShufflingParameters& parameters,
                      std::size_t warp_slots, std::size_t schedulers);

  /// Begins a launch in which `warps` warps shuffle rays.
  virtual void begin_shuffling(std::size_t warps) = 0;
  /// The row that a warp works on, if any.
  virtual std::optional<std::size_t> row_of(std::uint32_t slot) = 0;

  /// Requires that all lanes execute the instruction: rays of all lanes move, so no lane may still work on one. Throws
  /// ExecutionError.
  void require_all_lanes(const SchemeRequest& request) const;
  LaneWords read(std::uint32_t slot, kernel::Bank bank, std::size_t row);
  void write(std::uint32_t slot, kernel::Bank bank, std::size_t row, const LaneWords& words);
  LaneWords read_register(std::uint32_t slot, std::size_t ray_register) {
    return read(slot, kernel::Bank::reg, registers_[ray_register]);
  }
  void write_register(std::uint32_t slot, std::size_t ray_register, const LaneWords& words) {
    write(slot, kernel::Bank::reg, registers_[ray_register], words);
  }

  DynamicRayShufflingParameters parameters_;
  const kernel::Program* program_ = nullptr;
  std::vector<std::uint16_t> registers_;             // rows of the kernel's ray registers
  std::vector<bool> has_control_;                    // by warp slot: rdctrl has an answer, but has not issued
  std::vector<std::optional<Cycle>> waiting_since_;  // by warp slot: its first stalled request, until one is answered
  DynamicRayShufflingStatistics statistics_;

 private:
  /// The load/store unit's way to the block.
  class StackTarget : public sc_core::sc_module, private ControlTarget<StackRequest> {
   public:
    OptionalControlTargetSocket<StackRequest> accesses;

    StackTarget(sc_core::sc_module_name name, DynamicRayShuffling& block);

   private:
    void b_transport(StackRequest& request, sc_core::sc_time& delay) override;

    DynamicRayShuffling& block_;
  };

  StackTarget stack_target_;
  RowStacks stacks_;
};

/// `Shuffler`: RayShuffler, IdealShuffler or a replacement, constructed from a name, parameters and statistics. Each
/// launch calls its `begin`.
template <typename Shuffler>
class DynamicRayShufflingBy final : public DynamicRayShuffling {
 public:
  DynamicRayShufflingBy(sc_core::sc_module_name name, const DynamicRayShufflingParameters& parameters,
                        std::size_t warp_slots, std::size_t schedulers)
      : DynamicRayShuffling(name, parameters, warp_slots, schedulers),
        shuffler_("shuffler", parameters, &statistics_) {}

  void tick(Cycle now) override;

 private:
  void begin_shuffling(std::size_t warps) override;
  std::optional<std::size_t> row_of(std::uint32_t slot) override { return shuffler_.row_of(slot); }
  void ask(SchemeRequest& request) override;
  void issued(SchemeRequest& request) override;
  void ask_control(SchemeRequest& request);
  /// The answer to the rdctrl in progress.
  void take_answer(const RayControl& control);
  bool granted(const std::optional<RegisterAccess>& access, Cycle now);

  /// The rdctrl in progress, and the row that the warp had before it.
  struct Asking {
    std::uint32_t slot = 0;
    std::optional<std::size_t> had;
    Cycle since = 0;
  };

  Shuffler shuffler_;
  RayRows rows_;  // rays that no warp works on
  std::optional<Asking> asking_;
};

extern template class DynamicRayShufflingBy<IdealShuffler>;
extern template class DynamicRayShufflingBy<RayShuffler>;

}  // namespace reconverge
