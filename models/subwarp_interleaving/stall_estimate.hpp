#pragma once
/// How much each way on from a branch is likely to stall for loads, from the program alone: what hints would tell
/// hardware (Damani et al., HPCA 2022, section VI, third point).

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

  /// Loads of global or local memory and textures, and atomics, on the way from `to` to where the lanes of the branch
  /// at `branch` meet, each as often as `trips` for every loop around it that the branch is not in; with those of the
  /// functions called. `branch` may be a call: then of the function at `to`.
  std::uint64_t stalls(kernel::Pc branch, kernel::Pc to);

  static constexpr std::uint64_t trips = 8;

 private:
  const kernel::Program* program_ = nullptr;
  std::vector<std::uint64_t> of_block_;                               // loads in it and in what it calls
  std::vector<std::uint32_t> depth_;                                  // by block: loops around it
  std::map<std::pair<kernel::Pc, kernel::Pc>, std::uint64_t> known_;  // by branch and target
};

}  // namespace reconverge
