// SPDX-License-Identifier: Apache-2.0
#include "models/kernel/partition/bindings.hpp"

#include <catch2/catch.hpp>
#include <random>

namespace reconverge {

namespace {

using kernel::ArrayNeeds;
using kernel::ArrayUse;
using kernel::Partition;
using kernel::PassKernel;
using Bipartization = kernel::PartitionOptions::Bipartization;

Partition graph_of(const std::vector<std::vector<std::uint32_t>>& successors) {
  Partition partition;
  for (const auto& to : successors) {
    PassKernel kernel;
    kernel.name = std::string(1, static_cast<char>('A' + partition.kernels.size()));
    kernel.blocks.emplace_back();
    kernel.successors = to;
    partition.kernels.push_back(kernel);
  }
  partition.arrays.push_back({{0}, true});
  return partition;
}

std::size_t copying_kernels(const Partition& partition) {
  return static_cast<std::size_t>(std::ranges::count_if(partition.kernels, &PassKernel::copies));
}

/// Whether each kernel reads the arrays that its predecessors write, so that bindings, and therefore colours, are
/// consistent.
bool fits(const Partition& partition) {
  for (const PassKernel& kernel : partition.kernels) {
    for (const std::uint32_t to : kernel.successors) {
      if (partition.kernels[to].from == kernel.from) return false;
    }
  }
  return true;
}

/// Follows the array on all paths. Returns whether each kernel finds it in the buffer that the kernel expects.
bool array_fits(const Partition& partition, const std::vector<ArrayNeeds>& needs) {
  const auto use_of = [&](std::uint32_t kernel) -> const ArrayUse* {
    return partition.kernels[kernel].arrays.empty() ? nullptr : &partition.kernels[kernel].arrays.front();
  };
  // By kernel: the buffers that may hold the array when threads enter.
  std::vector<std::array<bool, 2>> seen(partition.kernels.size(), {false, false});
  std::vector<std::pair<std::uint32_t, unsigned>> pending;
  const auto enter = [&](std::uint32_t kernel, unsigned where) {
    if (!needs[kernel].live_in || seen[kernel][where]) return;
    seen[kernel][where] = true;
    pending.emplace_back(kernel, where);
  };
  for (std::uint32_t kernel = 0; kernel < partition.kernels.size(); ++kernel) {
    const ArrayUse* use = use_of(kernel);
    if (use == nullptr || !use->written || !needs[kernel].live_out) continue;
    for (const std::uint32_t to : partition.kernels[kernel].successors) enter(to, use->to);
  }
  while (!pending.empty()) {
    const auto [kernel, where] = pending.back();
    pending.pop_back();
    const ArrayUse* use = use_of(kernel);
    if (use != nullptr && (use->read || use->copied) && use->from != where) return false;
    if (use != nullptr && use->written && use->read && use->from == use->to) return false;
    if (use != nullptr && use->written) continue;
    const unsigned after = use != nullptr && use->copied ? use->to : where;
    for (const std::uint32_t to : partition.kernels[kernel].successors) enter(to, after);
  }
  return true;
}

}  // namespace

TEST_CASE("mpp.example.bipartite: the example of Fig. 1 gets two copying kernels", "[partition][paper]") {
  for (const Bipartization how : {Bipartization::greedy, Bipartization::exact}) {
    Partition partition = graph_of({{1, 2}, {1, 2}, {}});
    kernel::bipartize(partition, how);
    CHECK(copying_kernels(partition) == 2);
    CHECK(fits(partition));
    CHECK(partition.kernels.front().from == 0);
  }
}

TEST_CASE("copying kernels leave no odd cycle, and the exact cut needs the fewest", "[partition]") {
  std::mt19937 random(2);  // NOLINT(bugprone-random-generator-seed): the same graphs always
  std::size_t fewer = 0;
  for (int graph = 0; graph < 300; ++graph) {
    const std::uint32_t kernels = 1 + random() % 9;
    std::vector<std::vector<std::uint32_t>> successors(kernels);
    std::vector<ArrayNeeds> needs(kernels);
    for (std::uint32_t kernel = 0; kernel < kernels; ++kernel) {
      for (std::uint32_t to = 0; to < kernels; ++to) {
        if (random() % 4 == 0) successors[kernel].push_back(to);
      }
      needs[kernel] = {random() % 3 == 0, random() % 3 == 0, true, true};
      // A value that is written without being read does not have to be live in.
      if (needs[kernel].written && !needs[kernel].read) needs[kernel].live_in = false;
    }
    std::size_t copies = ~std::size_t{0};
    for (const Bipartization how : {Bipartization::exact, Bipartization::greedy}) {
      std::size_t all_copy = 0;
      for (const bool bypassing : {false, true}) {
        Partition partition = graph_of(successors);
        kernel::bipartize(partition, how);
        CHECK(fits(partition));
        std::vector<ArrayNeeds> all = needs;
        for (std::size_t copy = kernels; copy < partition.kernels.size(); ++copy) {
          const bool live = all[partition.kernels[copy].successors.front()].live_in;
          all.push_back({false, false, live, live});
        }
        kernel::bind_array(partition, 0, all, bypassing);
        CHECK(array_fits(partition, all));
        std::size_t copied = 0;
        for (const PassKernel& kernel : partition.kernels) {
          copied += !kernel.arrays.empty() && kernel.arrays.front().copied ? 1 : 0;
        }
        if (bypassing) {
          CHECK(copied <= all_copy);
          fewer += copied < all_copy ? 1 : 0;
        } else {
          all_copy = copied;
        }
        if (how == Bipartization::exact) copies = copying_kernels(partition);
        CHECK(copies <= copying_kernels(partition));
      }
    }
  }
  CHECK(fewer > 100);
}

}  // namespace reconverge
