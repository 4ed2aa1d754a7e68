// SPDX-License-Identifier: Apache-2.0
#include "platforms/experiment/judged_hits.hpp"

#include <algorithm>
#include <utility>

namespace reconverge {

namespace {

constexpr std::size_t part_size = std::size_t{1} << 15U;  // takes some tens of milliseconds
constexpr std::size_t most_examples = 8;                  // as in one comparison

void add(scenes::HitComparison& all, scenes::HitComparison part, std::size_t first) {
  all.rays += part.rays;
  all.equal += part.equal;
  all.ties += part.ties;
  all.edges += part.edges;
  all.mismatches += part.mismatches;
  all.max_relative_distance_error = std::max(all.max_relative_distance_error, part.max_relative_distance_error);
  for (scenes::HitMismatch& example : part.examples) {
    if (all.examples.size() == most_examples) break;
    example.ray += first;
    all.examples.push_back(std::move(example));
  }
}

}  // namespace

std::optional<scenes::HitComparison> judged_hits(const Oracle& oracle, std::span<const scenes::Ray> rays,
                                                 std::span<const scenes::Hit> found, bool shadow,
                                                 const std::function<bool()>& goes_on) {
  scenes::HitComparison all;
  for (std::size_t first = 0; first < rays.size(); first += part_size) {
    if (!goes_on()) return std::nullopt;
    const std::size_t count = std::min(part_size, rays.size() - first);
    const auto compare = shadow ? &scenes::compare_occlusion : &scenes::compare_hits;
    add(all, compare(oracle.mesh, oracle.scene, rays.subspan(first, count), found.subspan(first, count), {}), first);
  }
  return all;
}

}  // namespace reconverge
