// SPDX-License-Identifier: Apache-2.0
#pragma once
/// The barrier operations of a program by pc: BSSY, BSYNC, BREAK and BMOV before an instruction, from
/// place_convergence_barriers. Also the branches that end an iteration of a loop in which a thread may wait for
/// another, and the reconvergence points before an exchange. Plain data, no SystemC.

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
    std::uint32_t barrier = 0;  ///< unique for each region, independent of the register that holds it
  };

  BarrierCode() = default;
  /// `registers`: barrier registers of a warp, at least 1. The program must outlive this object.
  BarrierCode(const kernel::Program& program, unsigned registers);

  /// The operations before the instruction at `pc`, in order.
  std::span<const Operation> at(kernel::Pc pc) const {
    return {operations_.data() + first_[pc], operations_.data() + first_[pc + 1]};
  }
  /// The first pc after `pc` with operations; no_pc if there is none.
  kernel::Pc next_stop(kernel::Pc pc) const { return stops_[pc]; }
  /// Number of barriers in the program.
  std::size_t barriers() const { return barriers_; }
  /// Whether the branch at `pc` is the back edge of a loop that reads values which another thread may write
  /// concurrently (with an atomic that returns a value, a strong load or an mbarrier test), or that calls a function
  /// and any function of the program reads such values.
  bool ends_waiting_round(kernel::Pc pc) const { return waiting_rounds_[pc]; }
  /// Whether the program moves barriers (BMOV).
  bool moves_barriers() const { return moves_barriers_; }
  /// Whether lanes that wait at the reconvergence point `meeting` must still reach the exchange at `exchange`, which
  /// has no member mask, and need not wait for lanes at the exchange. This holds if control can reach the exchange from
  /// the reconvergence point, and either lanes at the exchange may never reach the reconvergence point or all threads
  /// of the warp reach the exchange together.
  bool comes_before(kernel::Pc meeting, kernel::Pc exchange) const;

 private:
  const kernel::Program* program_ = nullptr;
  std::vector<std::uint32_t> first_;  // by pc, plus one past the last: index into operations
  std::vector<Operation> operations_;
  std::vector<kernel::Pc> stops_;  // by pc
  std::vector<bool> waiting_rounds_;
  std::vector<bool> parted_;  // by basic block; filled if the program has exchanges without members
  // Cached results of comes_before, by reconvergence point and exchange: few of all pairs are queried.
  mutable std::map<std::pair<kernel::Pc, kernel::Pc>, bool> before_;
  std::size_t barriers_ = 0;
  bool moves_barriers_ = false;
};

}  // namespace reconverge
