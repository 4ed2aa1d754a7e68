// SPDX-License-Identifier: Apache-2.0
#pragma once
/// Figures of the GPU, as in MachineKind: warps by active lanes, issue slots by outcome, caches and memory, and those
/// of schemes.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "platforms/machine_kind.hpp"

namespace reconverge {

Executed executed_by_warps(const Measurement& measurement);
void add_gpu_figures(const Measurement& measurement, std::vector<Figure>& list);
std::string gpu_details(std::string_view subject, const Measurement& measurement);
HitRates gpu_hit_rates(const Statistics& totals);
std::int64_t unaccounted_gpu_slots(const Measurement& measurement);

}  // namespace reconverge
