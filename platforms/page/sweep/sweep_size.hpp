// SPDX-License-Identifier: Apache-2.0
#pragma once
/// Limits for the page of a sweep. docs/report.md states them.

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "platforms/host/memory_need.hpp"

namespace reconverge::page {

/// More points make a page that browsers show too slowly.
inline constexpr std::uint64_t most_points = 100'000;

inline constexpr std::string_view smaller_sweep =
    "sweep fewer points in one folder, or read the store with `reconverge query`";

/// An estimate of the memory needed to make the page.
MemoryNeed sweep_memory_need(std::uint64_t points, std::uint64_t columns);

/// Throws InputError for more than `most` points, and if the host does not have the memory. `columns`: axes and
/// figures.
void check_sweep_size(std::uint64_t points, std::uint64_t columns, std::uint64_t most = most_points);

}  // namespace reconverge::page
