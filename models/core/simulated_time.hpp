// SPDX-License-Identifier: Apache-2.0
#pragma once
/// Simulated time as part of a stored state.

#include <cstdint>
#include <systemc>

#include "models/core/state_archive.hpp"

namespace reconverge {

/// To restore, lets time pass from an earlier time on. No event may be due.
inline void archive_time(StateArchive& state) {
  std::uint64_t time = sc_core::sc_time_stamp().value();
  state(time);
  const sc_core::sc_time left = sc_core::sc_time::from_value(time) - sc_core::sc_time_stamp();
  if (left != sc_core::SC_ZERO_TIME) sc_core::sc_start(left);
}

}  // namespace reconverge
