// SPDX-License-Identifier: Apache-2.0
#include "platforms/page/sweep/sweep_size.hpp"

#include <fmt/format.h>

#include "models/core/error.hpp"

namespace reconverge::page {

namespace {

constexpr std::uint64_t program_bytes = std::uint64_t{24} << 20U;
// An upper estimate: a number is held as a value of a column, as a value of JSON, and three times as text in strings
// that grow; a point also as the row of an answer.
constexpr std::uint64_t cell_bytes = 200;
constexpr std::uint64_t point_bytes = 600;

}  // namespace

MemoryNeed sweep_memory_need(std::uint64_t points, std::uint64_t columns) {
  MemoryNeed need("the page");
  need.add("program", program_bytes);
  need.add("points", points * point_bytes);
  need.add("values", points * columns * cell_bytes);
  return need;
}

void check_sweep_size(std::uint64_t points, std::uint64_t columns, std::uint64_t most) {
  if (points > most)
    throw InputError({},
                     fmt::format("the sweep has {} points with a result, and a page shows {} at most", points, most),
                     smaller_sweep);
  check_memory(sweep_memory_need(points, columns), smaller_sweep);
}

}  // namespace reconverge::page
