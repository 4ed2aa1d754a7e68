// SPDX-License-Identifier: Apache-2.0
#pragma once
/// The cycles of the pipeline (rtl/dynamic_ray_shuffling/README.md), for warps of eight lanes.

#include "models/core/lane_mask.hpp"

namespace reconverge::tests {

inline constexpr unsigned width = 8;
inline constexpr LaneMask all = 0xFF;

// Cycles from an rdctrl to its stages, without delays.
inline constexpr int to_look_up = 1;
inline constexpr int to_decide = 3;
inline constexpr int to_read = 4;
inline constexpr int to_answer = 5;

// Cycles from a report to its read of the table, and to the next report.
inline constexpr int report_to_read = 2;
inline constexpr int report_to_next = 4;

// Cycles from the sample of a choice to its lock, its reads, and its offer. A choice has ten stages of one cycle each;
// packing the lanes takes one more cycle for each doubling of their number.
inline constexpr int to_lock = 4;
inline constexpr int to_first_read = 5;
inline constexpr int to_second_read = 7;
inline constexpr int to_offer = 10 + 3;
inline constexpr int read_to_offer = to_offer - to_first_read;
/// A choice without a swap ends after its first four stages.
inline constexpr int failed_choice = 4;
/// Cycles of three choices without a swap, after which the control rests.
inline constexpr int failed_choices = 3 * failed_choice;

// Cycles from the offer until the table shows the swap: read, write, read, write.
inline constexpr int to_update = 4;

}  // namespace reconverge::tests
