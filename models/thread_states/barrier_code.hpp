#pragma once
/// The barrier operations of a program as a warp meets them: BSSY, BSYNC, BREAK and BMOV before the instruction at a
/// pc, where place_convergence_barriers put them. The branches that end a round of a loop in which a thread may wait
/// for another. And which meeting points come before an exchange. Plain data, no SystemC.

#include <cstdint>
#include <map>
#include <span>
#include <utility>
#include <vector>

#include "models/kernel/analysis/convergence_barriers.hpp"

namespace reconverge {

class BarrierCode {
 public:
  using Kind = kernel::BarrierAction::Kind;

  struct Operation {
    Kind kind = Kind::join;
    std::uint32_t barrier = 0;  ///< each region has one of its own; which registers they lie in does not show
  };

  BarrierCode() = default;
  /// `registers`: of a warp, at least 1. The program has to outlive this.
  BarrierCode(const kernel::Program& program, unsigned registers);

  /// Before the instruction at `pc`, in this order.
  std::span<const Operation> at(kernel::Pc pc) const {
    return {operations_.data() + first_[pc], operations_.data() + first_[pc + 1]};
  }
  /// The first pc behind `pc` with any; no_pc: there is none.
  kernel::Pc next_stop(kernel::Pc pc) const { return stops_[pc]; }
  /// Barriers that the program has.
  std::size_t barriers() const { return barriers_; }
  /// Whether the branch at `pc` goes back in a loop that reads what another thread may write meanwhile: by an atomic
  /// that gives a value, a strong load, a test of an mbarrier; or that calls a function of a program that does.
  bool ends_waiting_round(kernel::Pc pc) const { return waiting_rounds_[pc]; }
  /// Whether barriers are moved.
  bool moves_barriers() const { return moves_barriers_; }
  /// Whether lanes that wait at the meeting point `meeting` have the exchange at `exchange`, which names no members,
  /// before them, and need not wait for lanes that are there: lanes get from one to the other, and those at the
  /// exchange may never come to the meeting point, or all threads of the warp come to the exchange together.
  bool comes_before(kernel::Pc meeting, kernel::Pc exchange) const;

 private:
  const kernel::Program* program_ = nullptr;
  std::vector<std::uint32_t> first_;  // by pc, and one behind the last: index into operations
  std::vector<Operation> operations_;
  std::vector<kernel::Pc> stops_;  // by pc
  std::vector<bool> waiting_rounds_;
  std::vector<bool> parted_;  // by block, where the program has exchanges without members
  // What comes_before found, by meeting point and exchange: few of all pairs are asked about.
  mutable std::map<std::pair<kernel::Pc, kernel::Pc>, bool> before_;
  std::size_t barriers_ = 0;
  bool moves_barriers_ = false;
};

}  // namespace reconverge
