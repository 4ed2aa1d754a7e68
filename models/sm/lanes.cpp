// SPDX-License-Identifier: Apache-2.0
#include "models/sm/lanes.hpp"

#include <algorithm>

namespace reconverge {

Lanes::Pipes::Pipes(const LanesParameters& parameters)
    : pipes{Pipe(parameters.alu_units),      Pipe(std::max<std::uint64_t>(parameters.integer_units, 1)),
            Pipe(parameters.multiply_units), Pipe(parameters.special_units),
            Pipe(parameters.fp64_units),     Pipe(parameters.matrix_units)} {}

Lanes::Lanes(sc_core::sc_module_name name, const LanesParameters& parameters, std::size_t schedulers)
    : sc_module(name),
      issue("issue"),
      pipes_(parameters.sharing == LanesSharing::sm ? 1 : schedulers, Pipes(parameters)),
      table_(parameters),
      one_fp64_(parameters.fp64_sharing == LanesFp64Sharing::sm),
      branches_at_issue_(parameters.branch_decided == LanesBranchDecided::issue) {
  issue.bind(*this);
}

}  // namespace reconverge
