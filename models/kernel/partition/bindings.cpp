// SPDX-License-Identifier: Apache-2.0
#include "models/kernel/partition/bindings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "models/kernel/partition/max_cut.hpp"

namespace reconverge::kernel {

namespace {

/// Inserts a kernel between two kernels.
void put_copy_between(Partition& partition, std::uint32_t from, std::uint32_t to) {
  const auto copy = static_cast<std::uint32_t>(partition.kernels.size());
  PassKernel kernel;
  kernel.name = fmt::format("{} to {}", partition.kernels[from].name, partition.kernels[to].name);
  kernel.successors = {to};
  kernel.from = partition.kernels[from].from == 0 ? 1 : 0;
  partition.kernels.push_back(std::move(kernel));
  PassKernel& before = partition.kernels[from];
  std::ranges::replace(before.successors, to, copy);
  for (NodeBlock& block : before.blocks) {
    for (NodeWay& way : block.ways) {
      if (!way.inside && way.to == to) way.to = copy;
    }
  }
}

/// Classes of places (entries and exits of kernels). At each place, the state is in one of the two arrays: the array of
/// the place's class, or the other one.
class Places {
 public:
  explicit Places(std::size_t count) : parent_(count), odd_(count, 0) {
    for (std::uint32_t i = 0; i < count; ++i) parent_[i] = i;
  }
  /// The class, and whether the place uses the other array than its class.
  std::pair<std::uint32_t, std::uint8_t> find(std::uint32_t place) {
    std::uint32_t of_class = place;
    std::uint8_t odd = 0;
    for (; parent_[of_class] != of_class; of_class = parent_[of_class]) odd ^= odd_[of_class];
    // Path compression.
    for (std::uint8_t left = odd; parent_[place] != place;) {
      const std::uint8_t step = std::exchange(odd_[place], left);
      place = std::exchange(parent_[place], of_class);
      left ^= step;
    }
    return {of_class, odd};
  }
  void join(std::uint32_t a, std::uint32_t b, bool different) {
    const auto [class_a, odd_a] = find(a);
    const auto [class_b, odd_b] = find(b);
    if (class_a == class_b) return;
    parent_[class_b] = class_a;
    odd_[class_b] = odd_a ^ odd_b ^ (different ? 1U : 0U);
  }

 private:
  std::vector<std::uint32_t> parent_;
  std::vector<std::uint8_t> odd_;  // relative to the parent
};

/// By place: the number of the array. Place 2 * kernel is the kernel's entry, 2 * kernel + 1 its exit.
std::vector<std::uint8_t> fewest_copies(const Partition& partition, std::span<const ArrayNeeds> needs) {
  const auto kernels = static_cast<std::uint32_t>(partition.kernels.size());
  Places places(std::size_t{2} * kernels);
  for (std::uint32_t kernel = 0; kernel < kernels; ++kernel) {
    if (needs[kernel].read && needs[kernel].written) places.join(2 * kernel, 2 * kernel + 1, true);
    if (!needs[kernel].live_out) continue;
    for (const std::uint32_t to : partition.kernels[kernel].successors) {
      if (needs[to].live_in) places.join(2 * kernel + 1, 2 * to, false);
    }
  }
  // A kernel that only passes the state on copies it, unless both of its places use the same array.
  std::vector<CutEdge> edges;
  for (std::uint32_t kernel = 0; kernel < kernels; ++kernel) {
    if (needs[kernel].written || !needs[kernel].live_in || !needs[kernel].live_out) continue;
    const auto [entry, entry_odd] = places.find(2 * kernel);
    const auto [exit, exit_odd] = places.find(2 * kernel + 1);
    if (entry != exit) edges.push_back({entry, exit, entry_odd == exit_odd ? -1 : 1});
  }
  // Only classes are vertices, so that small graphs are not counted as large.
  std::vector<std::uint32_t> number(std::size_t{2} * kernels, 0);
  std::uint32_t vertices = 0;
  for (std::uint32_t place = 0; place < 2 * kernels; ++place) {
    if (places.find(place).first == place) number[place] = vertices++;
  }
  for (CutEdge& edge : edges) {
    edge.a = number[edge.a];
    edge.b = number[edge.b];
  }
  const Cut cut = largest_cut(vertices, edges);
  std::vector<std::uint8_t> which(std::size_t{2} * kernels);
  for (std::uint32_t place = 0; place < 2 * kernels; ++place) {
    const auto [of_class, odd] = places.find(place);
    which[place] = cut[number[of_class]] ^ odd;
  }
  return which;
}

}  // namespace

void bipartize(Partition& partition, PartitionOptions::Bipartization how) {
  if (how == PartitionOptions::Bipartization::none) return;
  const auto kernels = static_cast<std::uint32_t>(partition.kernels.size());
  std::vector<CutEdge> edges;
  for (std::uint32_t kernel = 0; kernel < kernels; ++kernel) {
    for (const std::uint32_t to : partition.kernels[kernel].successors) {
      if (to != kernel) edges.push_back({kernel, to, 1});
    }
  }
  Cut cut = how == PartitionOptions::Bipartization::greedy ? greedy_cut(kernels, edges) : largest_cut(kernels, edges);
  if (cut.front() != 0) {
    for (std::uint8_t& side : cut) side ^= 1U;
  }
  for (std::uint32_t kernel = 0; kernel < kernels; ++kernel) partition.kernels[kernel].from = cut[kernel];
  for (std::uint32_t kernel = 0; kernel < kernels; ++kernel) {
    const std::vector<std::uint32_t> successors = partition.kernels[kernel].successors;
    for (const std::uint32_t to : successors) {
      if (cut[to] == cut[kernel]) put_copy_between(partition, kernel, to);
    }
  }
  partition.static_bindings = true;
}

void bind_array(Partition& partition, std::uint32_t array, std::span<const ArrayNeeds> needs, bool bypassing) {
  const bool twice = partition.arrays[array].double_buffered;
  std::vector<std::uint8_t> which;
  if (twice && bypassing && partition.static_bindings) which = fewest_copies(partition, needs);
  for (std::uint32_t number = 0; number < partition.kernels.size(); ++number) {
    const ArrayNeeds& need = needs[number];
    PassKernel& kernel = partition.kernels[number];
    ArrayUse use;
    use.array = array;
    use.read = need.read;
    use.written = need.written;
    if (twice) {
      use.from = which.empty() ? kernel.from : which[std::size_t{2} * number];
      use.to = which.empty() ? static_cast<std::uint8_t>(1 - kernel.from) : which[std::size_t{2} * number + 1];
      const bool passes = !need.written && need.live_in && need.live_out;
      use.copied = passes && use.from != use.to;
    }
    if (use.read || use.written || use.copied) kernel.arrays.push_back(use);
  }
}

}  // namespace reconverge::kernel
