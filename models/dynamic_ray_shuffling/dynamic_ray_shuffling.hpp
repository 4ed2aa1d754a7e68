#pragma once
/// Dynamic ray shuffling as a block of an SM: keeps the rays that no warp works on, tells warps what to do, and swaps
/// rays through the register banks when these are free.

#include <array>
#include <memory>
#include <optional>
#include <span>
#include <systemc>
#include <vector>

#include "models/dynamic_ray_shuffling/ray_shuffler.hpp"
#include "models/protocols/ray.hpp"
#include "models/sm/warp.hpp"

namespace reconverge {

class DynamicRayShuffling : public sc_core::sc_module, private ControlTarget<RayRequest> {
 public:
  using Bank = ControlInitiatorSocket<DynamicRayShuffling, BankRequest>;

  ControlTargetSocket<RayRequest> rays;
  /// The register banks of each scheduler.
  std::vector<std::unique_ptr<Bank>> banks;

  DynamicRayShuffling(sc_core::sc_module_name name, const DynamicRayShufflingParameters& parameters,
                      std::size_t schedulers);

  /// Registers of the register file that the rows without a warp take.
  std::uint64_t extra_registers() const;
  /// A launch of a kernel that uses rdctrl, or of one that does not. `warps`: that will be there at the same time, in
  /// the first slots.
  void begin(const kernel::Program& program, std::size_t warps);

  /// The end of a cycle in which there was something to do.
  void tick(Cycle now);
  /// Whether this cycle has to be ended by a tick, and the next one run.
  bool at_work() const { return shuffler_ && (asked_ || !shuffler_->idle()); }
  /// Whether warps that wait would get an answer in the next cycle.
  bool has_answer() const { return shuffler_ && shuffler_->has_answer(); }

  const DynamicRayShufflingStatistics& statistics() const { return statistics_; }

 private:
  struct alignas(64) Row {
    std::array<std::uint32_t, warp_size> words;
  };

  void b_transport(RayRequest& request, sc_core::sc_time& delay) override;
  void answer(RayRequest& request);
  void report(const RayRequest& request);
  /// The ray registers of a row that no warp works on.
  std::span<Row> row(std::size_t number) { return {rows_.data() + number * registers_.size(), registers_.size()}; }
  Row& register_of(const Warp& warp, std::size_t ray_register) const;
  void exchange(const RaySwap& swap);
  bool granted(const std::optional<RegisterAccess>& access, Cycle now);

  DynamicRayShufflingParameters parameters_;
  std::optional<RayShuffler> shuffler_;
  std::vector<std::uint16_t> registers_;  // rows of the kernel's ray registers
  std::vector<Row> rows_;
  Cycle controlled_ = never;  // the last cycle of an rdctrl
  Cycle reported_ = never;    // and of a report
  bool asked_ = false;        // since the last tick
  DynamicRayShufflingStatistics statistics_;
};

}  // namespace reconverge
