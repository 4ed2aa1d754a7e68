// SPDX-License-Identifier: Apache-2.0
#include "models/core/suggestion.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <numeric>
#include <vector>

namespace reconverge {

std::size_t edit_distance(std::string_view a, std::string_view b) {
  // Three rows of the table suffice: a swap looks two rows back.
  std::vector<std::size_t> before(b.size() + 1);
  std::vector<std::size_t> previous(b.size() + 1);
  std::vector<std::size_t> current(b.size() + 1);
  std::iota(previous.begin(), previous.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    current[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replaced = previous[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      current[j] = std::min({previous[j] + 1, current[j - 1] + 1, replaced});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
        current[j] = std::min(current[j], before[j - 2] + 1);
      }
    }
    before.swap(previous);
    previous.swap(current);
  }
  return previous[b.size()];
}

std::string_view nearest(std::string_view name, std::span<const std::string_view> candidates) {
  constexpr std::size_t longest_name = 256;
  if (name.size() > longest_name) return {};
  std::string_view best;
  std::size_t best_distance = 0;
  for (const std::string_view candidate : candidates) {
    const std::size_t distance = edit_distance(name, candidate);
    if (distance * 3 > std::max(name.size(), candidate.size())) continue;
    if (best.empty() || distance < best_distance) {
      best = candidate;
      best_distance = distance;
    }
  }
  return best;
}

std::string suggest(std::string_view name, std::span<const std::string_view> candidates) {
  if (candidates.empty()) return {};
  if (const std::string_view best = nearest(name, candidates); !best.empty()) {
    return fmt::format("did you mean {}?", best);
  }
  return fmt::format("known: {}", fmt::join(candidates, ", "));
}

std::string suggest_or_plugin(std::string_view name, std::span<const std::string_view> candidates) {
  return fmt::format("{} (a plugin can add others: --plugin FILE)", suggest(name, candidates));
}

}  // namespace reconverge
