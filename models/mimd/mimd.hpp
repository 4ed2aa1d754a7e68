#pragma once
/// The MIMD ideal that the DMK paper (section VII, Fig. 10) sets divergence schemes against: in each issue slot, every
/// lane issues the next instruction of the oldest thread in its column that has one ready. Registers are tracked for
/// each thread.

#include <array>
#include <systemc>
#include <vector>

#include "blocks/mimd.hpp"
#include "models/execution/program_image.hpp"
#include "models/execution/warp.hpp"
#include "models/protocols/issue.hpp"

namespace reconverge {

class Mimd : public sc_core::sc_module, private ControlTarget<DivergenceRequest> {
 public:
  ControlTargetSocket<DivergenceRequest> events;

  Mimd(sc_core::sc_module_name name, std::size_t warp_slots);

  /// Begins a launch.
  void begin(const ProgramImage& image);

  const MimdStatistics& statistics() const { return statistics_; }

 private:
  struct Threads {
    std::array<kernel::Pc, warp_size> pc{};
    std::array<Cycle, warp_size> ready{};     // `never`: when memory has answered
    std::array<Cycle, warp_size> earliest{};  // cycle of the next issue whatever the registers
    std::array<Cycle, warp_size> issued{};    // cycle of the last issue, plus one: a lane issues once a slot
    LaneMask from_memory = 0;                 // lanes whose next instruction waits for memory
    LaneMask waiting = 0;                     // at a barrier
    // A thread ends when its loads are there:
    std::array<std::uint16_t, warp_size> unknown{};               // results whose time is not known
    std::array<Cycle, warp_size> loads_until{};                   // the others are there
    std::vector<std::array<std::uint64_t, warp_size>> registers;  // as in Scoreboard, for each lane
  };

  void b_transport(DivergenceRequest& request, sc_core::sc_time& delay) override;
  void start(Threads& threads, const DivergenceRequest& request);
  void select(Threads& threads, DivergenceRequest& request);
  void go_on(Threads& threads, const DivergenceRequest& request, LaneMask jumping, LaneMask falling);
  void answer(Threads& threads, DivergenceRequest& request);
  void update_ready(Threads& threads, LaneMask lanes);
  /// Lanes that stand at one exchange without named members, when no lane of the warp can move.
  LaneMask stranded(const Threads& threads, LaneMask candidates) const;
  /// Lanes that can issue what `lane` stands at, together with it; none when it waits for others. `alike`: lanes for
  /// which the answer is the same.
  LaneMask together(const Threads& threads, const Warp& warp, unsigned lane, LaneMask candidates,
                    LaneMask& alike) const;

  const ProgramImage* image_ = nullptr;
  std::vector<Threads> warps_;
  MimdStatistics statistics_;
};

}  // namespace reconverge
