// SPDX-License-Identifier: Apache-2.0
#pragma once
/// The MIMD ideal with which the DMK paper (section VII, Fig. 10) compares divergence schemes: in each issue slot,
/// every lane issues the next instruction of its oldest ready thread. Registers are tracked for each thread.

#include <array>
#include <vector>

#include "blocks/mimd.hpp"
#include "models/protocols/scheme_kind.hpp"

namespace reconverge {

class Mimd final : public Scheme {
 public:
  Mimd(sc_core::sc_module_name name, std::size_t warp_slots, std::size_t schedulers);

  void begin(const SchemeLaunch& launch) override;

  void add_statistics(Statistics& totals) const override { totals.of<MimdStatistics>() += statistics_; }
  const MimdStatistics& statistics() const { return statistics_; }
  /// Groups of threads at one instruction, in program order.
  std::vector<Path> places(std::uint32_t slot) const override;

 private:
  struct Threads {
    std::array<kernel::Pc, warp_size> pc{};
    std::array<Cycle, warp_size> ready{};     // `never`: unknown until memory answers
    std::array<Cycle, warp_size> earliest{};  // earliest cycle of the next issue, regardless of registers
    std::array<Cycle, warp_size> issued{};    // cycle of the last issue, plus one: a lane issues once per slot
    LaneMask from_memory = 0;                 // lanes whose next instruction waits for memory
    LaneMask waiting = 0;                     // lanes that wait at a barrier
    LaneMask live = 0;
  };

  void start(SchemeRequest& request) override;
  void branch(SchemeRequest& request) override;
  void call(SchemeRequest& request) override { branch(request); }
  void leave(SchemeRequest& request) override { branch(request); }
  void exit(SchemeRequest& request) override;
  void wait(SchemeRequest& request) override;
  void release(SchemeRequest& request) override;
  void result(SchemeRequest& request) override;
  void select(SchemeRequest& request) override;
  void advance(SchemeRequest& request) override;

  void go_on(const SchemeRequest& request, LaneMask jumping, LaneMask falling);
  void update_ready(std::uint32_t slot, LaneMask lanes);
  /// Lanes at one exchange without a member mask, if no lane of the warp can advance.
  LaneMask stranded(const Threads& threads, LaneMask candidates) const;
  /// Lanes that can issue the instruction of `lane` together with it; none if the instruction waits for other lanes.
  /// `alike`: lanes with the same answer.
  LaneMask together(const SchemeRequest& request, unsigned lane, LaneMask candidates, LaneMask& alike);

  const ProgramImage* image_ = nullptr;
  std::vector<Threads> warps_;
  MimdStatistics statistics_;
};

const SchemeKind& mimd_scheme();

}  // namespace reconverge
