#pragma once
/// Dynamic ray shuffling as a block of an SM: keeps the rays that no warp works on, tells warps what to do, and swaps
/// rays through the register banks when these are free. What decides in it is the model, the RTL, or both in lock step.

#include <memory>
#include <optional>
#include <systemc>
#include <vector>

#include "models/dynamic_ray_shuffling/ray_rows.hpp"
#include "models/dynamic_ray_shuffling/ray_shuffler.hpp"
#include "models/execution/warp.hpp"
#include "models/protocols/ray.hpp"

namespace reconverge {

class DynamicRayShuffling : public sc_core::sc_module, protected ControlTarget<RayRequest> {
 public:
  using Bank = ControlInitiatorSocket<DynamicRayShuffling, BankRequest>;

  ControlTargetSocket<RayRequest> rays;
  /// The register banks of each scheduler.
  std::vector<std::unique_ptr<Bank>> banks;

  /// Registers of the register file that the rows without a warp take.
  std::uint64_t extra_registers() const;
  /// A launch of a kernel that uses rdctrl, or of one that does not. `warps`: that will be there at the same time, in
  /// the first slots. Throws ParameterError when the implementation does not have so many.
  virtual void begin(const kernel::Program& program, std::size_t warps) = 0;

  /// The end of a cycle in which there was something to do.
  virtual void tick(Cycle now) = 0;
  /// Whether this cycle has to be ended by a tick, and the next one run.
  bool at_work() const { return at_work_; }
  /// After a tick: whether warps that wait would get an answer in the next cycle.
  bool has_answer() const { return has_answer_; }

  const DynamicRayShufflingStatistics& statistics() const { return statistics_; }

 protected:
  DynamicRayShuffling(sc_core::sc_module_name name, const DynamicRayShufflingParameters& parameters,
                      std::size_t schedulers);

  DynamicRayShufflingParameters parameters_;
  std::vector<std::uint16_t> registers_;  // rows of the kernel's ray registers
  bool at_work_ = false;
  bool has_answer_ = false;
  DynamicRayShufflingStatistics statistics_;
};

/// `Shuffler`: RayShuffler, or what stands where it stands. Made of a name, parameters and statistics; each launch
/// begins it.
template <typename Shuffler>
class DynamicRayShufflingBy final : public DynamicRayShuffling {
 public:
  DynamicRayShufflingBy(sc_core::sc_module_name name, const DynamicRayShufflingParameters& parameters,
                        std::size_t schedulers)
      : DynamicRayShuffling(name, parameters, schedulers), shuffler_("shuffler", parameters, &statistics_) {}

  void begin(const kernel::Program& program, std::size_t warps) override;
  void tick(Cycle now) override;

 private:
  void b_transport(RayRequest& request, sc_core::sc_time& delay) override;
  void answer(RayRequest& request);
  void report(const RayRequest& request);
  LaneWords& register_of(const Warp& warp, std::size_t ray_register) const;
  bool granted(const std::optional<RegisterAccess>& access, Cycle now);

  Shuffler shuffler_;
  RayRows rows_;              // those that no warp works on
  Cycle controlled_ = never;  // the last cycle of an rdctrl
  Cycle reported_ = never;    // and of a report
};

extern template class DynamicRayShufflingBy<RayShuffler>;

}  // namespace reconverge
