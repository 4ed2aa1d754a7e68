// SPDX-License-Identifier: Apache-2.0
#include "platforms/figures/measurement.hpp"

#include "models/core/figure.hpp"
#include "platforms/machine_kind.hpp"

namespace reconverge {

double Executed::simd_efficiency() const { return ratio(real(threads), real(lanes) * real(issued)); }

Executed executed(const Measurement& m) { return m.machine->executed(m); }

std::uint64_t cycles(const Measurement& m) { return m.machine->cycles(m.totals); }

double seconds(const Measurement& m) { return ratio(real(cycles(m)), real(m.clock_hz)); }

double rays_per_second(const Measurement& m) { return ratio(real(m.rays.value_or(0)), seconds(m)); }

double thread_ipc(const Measurement& m) { return ratio(real(executed(m).threads), real(cycles(m))); }

std::int64_t unaccounted_slots(const Measurement& m) {
  return m.machine->unaccounted_slots == nullptr ? 0 : m.machine->unaccounted_slots(m);
}

}  // namespace reconverge
