// SPDX-License-Identifier: Apache-2.0
#pragma once
/// A test's scheme, in addition to the built-in ones.

#include <vector>

#include "platforms/machines/gpu/schemes.hpp"
#include "testbenches/contract/machines.hpp"

namespace reconverge::contract {

/// The kind must outlive them.
inline std::vector<const SchemeKind*> kinds_with(const SchemeKind& own) {
  std::vector<const SchemeKind*> kinds(built_in_schemes().begin(), built_in_schemes().end());
  kinds.push_back(&own);
  return kinds;
}

inline TimedOutcome run_own(const Case& test_case, GpuParameters parameters, const SchemeKind& own) {
  parameters.sm.scheme = {std::string(own.part.name)};
  return run_timed(test_case, parameters, kinds_with(own));
}

/// Slots lost to a cause of the scheme; causes are counted from zero.
inline std::uint64_t slots_of(const TimedOutcome& run, const SchemeKind& own, std::size_t cause) {
  const auto first = static_cast<std::size_t>(first_cause_of(own, kinds_with(own)));
  return run.totals.of<WarpSchedulerStatistics>().slots.values[first + cause];
}

}  // namespace reconverge::contract
