// SPDX-License-Identifier: Apache-2.0
#pragma once
/// The data for figures, and the figures of all machines.

#include <cstdint>
#include <optional>

#include "models/core/statistics_tree.hpp"
#include "models/protocols/scheme_list.hpp"

namespace reconverge {

struct MachineKind;

/// Counters, and the few parameters needed to interpret them.
struct Measurement {
  Statistics totals;
  std::optional<std::uint64_t> rays;  ///< traced to their end; nothing: launches that are not about rays
  std::uint64_t clock_hz = 0;
  std::uint64_t slots_per_cycle = 0;     ///< as in MachineRate
  SchemeList schemes;                    ///< their figures are included
  const MachineKind* machine = nullptr;  ///< never null in a measurement
  std::optional<Statistics> counted{};   ///< if the totals are estimates: what was counted for them
};

/// How lanes work together. On machines without warps an issued instruction is one of all lanes.
struct Executed {
  std::uint64_t issued = 0;   ///< instructions
  std::uint64_t threads = 0;  ///< of these, instructions of single threads
  std::uint64_t lanes = 0;    ///< that issue together

  double simd_efficiency() const;
};

inline double real(std::uint64_t count) { return static_cast<double>(count); }

Executed executed(const Measurement& measurement);
std::uint64_t cycles(const Measurement& measurement);
double seconds(const Measurement& measurement);
double rays_per_second(const Measurement& measurement);
/// Thread instructions per cycle, over the whole device.
double thread_ipc(const Measurement& measurement);
/// As MachineKind::unaccounted_slots; 0 on machines without issue slots.
std::int64_t unaccounted_slots(const Measurement& measurement);

}  // namespace reconverge
