// SPDX-License-Identifier: Apache-2.0
#pragma once
/// A static estimate of the number of stalls for loads on each path from a branch. The paper proposes hints that pass
/// this to the hardware (Damani et al., HPCA 2022, section VI, third point).

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "models/kernel/program.hpp"

namespace reconverge {

class StallEstimate {
 public:
  StallEstimate() = default;
  explicit StallEstimate(const kernel::Program& program);

  /// Counts loads of global or local memory, texture fetches and atomics on the path from `to` to the reconvergence
  /// point of the branch at `branch`, including those in called functions. Each counts `trips` times for every
  /// enclosing loop that does not contain the branch. If `branch` is a call, counts those of the function at `to`.
  std::uint64_t stalls(kernel::Pc branch, kernel::Pc to);

  static constexpr std::uint64_t trips = 8;

 private:
  const kernel::Program* program_ = nullptr;
  std::vector<std::uint64_t> of_block_;  // by block: loads in it and in the functions that it calls
  std::vector<std::uint32_t> depth_;     // by block: number of enclosing loops
  std::map<std::pair<kernel::Pc, kernel::Pc>, std::uint64_t> known_;  // by branch and target
};

}  // namespace reconverge
