// SPDX-License-Identifier: Apache-2.0
#include "models/kernel/transform/state_layout.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <tuple>

namespace reconverge::kernel {

namespace {

constexpr unsigned word_bytes = 4;
constexpr unsigned widest_access = 16;
constexpr std::size_t most_elements = 4;

// Sets of split points, and of spawns.
using Points = boost::dynamic_bitset<>;

/// An item with the points that use it. Items with the same uses are placed next to each other.
struct Candidate {
  StateItem item;
  Points live;
  Points loaded;
  Points stored;

  auto use() const { return std::tie(live, loaded); }
};

/// Items of equal size and use that one access can transfer.
struct Chunk {
  std::vector<StateItem> items;
  Points live;
  unsigned bytes = 0;
};

std::vector<Candidate> candidates(const WrittenKernel& kernel, const Transfers& transfers) {
  std::map<std::pair<bool, std::uint32_t>, Candidate> found;
  const auto visit = [&](const ValueSet& values, Points Candidate::*points, std::size_t point) {
    for (auto value = values.find_first(); value != ValueSet::npos; value = values.find_next(value)) {
      const bool predicate = kernel.values[value].predicate();
      const auto index = predicate ? transfers.predicates[value].word : static_cast<std::uint32_t>(value);
      Candidate& one = found[{predicate, index}];
      if (one.live.empty()) {
        one.live.resize(transfers.entries.size());
        one.loaded.resize(transfers.entries.size());
        one.stored.resize(transfers.edges.size());
        one.item = {predicate, index, predicate ? word_bytes : kernel.values[value].bytes(), 0};
      }
      (one.*points).set(point);
    }
  };
  for (std::size_t i = 0; i < transfers.entries.size(); ++i) {
    visit(transfers.entries[i].passed, &Candidate::live, i);
    visit(transfers.entries[i].loaded, &Candidate::loaded, i);
  }
  for (std::size_t i = 0; i < transfers.edges.size(); ++i) visit(transfers.edges[i].stored, &Candidate::stored, i);
  std::vector<Candidate> result;
  result.reserve(found.size());
  for (auto& [key, one] : found) result.push_back(std::move(one));
  std::stable_sort(result.begin(), result.end(), [](const Candidate& a, const Candidate& b) {
    return std::tie(a.item.bytes, a.live, a.loaded, a.stored) < std::tie(b.item.bytes, b.live, b.loaded, b.stored);
  });
  return result;
}

std::vector<Chunk> chunks(const std::vector<Candidate>& all) {
  std::vector<Chunk> result;
  for (std::size_t i = 0; i < all.size();) {
    const unsigned bytes = all[i].item.bytes;
    std::size_t alike = i;
    while (alike < all.size() && all[alike].item.bytes == bytes && all[alike].use() == all[i].use()) ++alike;
    while (i < alike) {
      std::size_t take = std::min<std::size_t>(most_elements, widest_access / bytes);
      while (take > alike - i) take /= 2;
      Chunk chunk{{}, all[i].live, static_cast<unsigned>(take) * bytes};
      for (; take != 0; --take) chunk.items.push_back(all[i++].item);
      result.push_back(std::move(chunk));
    }
  }
  // Largest first: then each is aligned without gaps. Of equal ones, the one that is live longest conflicts with most
  // others.
  std::stable_sort(result.begin(), result.end(), [](const Chunk& a, const Chunk& b) {
    return std::pair(a.bytes, a.live.count()) > std::pair(b.bytes, b.live.count());
  });
  return result;
}

std::uint32_t rounded_up(std::uint32_t value, std::uint32_t multiple) {
  return (value + multiple - 1) / multiple * multiple;
}

}  // namespace

StateLayout lay_out_state(const WrittenKernel& kernel, const Transfers& transfers, std::uint32_t local_bytes) {
  StateLayout layout;
  struct Placed {
    std::uint32_t offset;
    std::uint32_t end;
    const Points* live;
  };
  const std::vector<Chunk> all = chunks(candidates(kernel, transfers));
  std::vector<Placed> placed;
  for (const Chunk& chunk : all) {
    std::uint32_t offset = 0;
    const auto in_the_way = [&](const Placed& other) {
      return other.live->intersects(chunk.live) && offset < other.end && other.offset < offset + chunk.bytes;
    };
    while (std::any_of(placed.begin(), placed.end(), in_the_way)) offset += chunk.bytes;
    placed.push_back({offset, offset + chunk.bytes, &chunk.live});
    layout.bytes = std::max(layout.bytes, offset + chunk.bytes);
    if (chunk.items.size() > 1) layout.alignment = widest_access;
    for (std::size_t i = 0; i < chunk.items.size(); ++i) {
      StateItem item = chunk.items[i];
      item.offset = offset + static_cast<std::uint32_t>(i) * item.bytes;
      layout.alignment = std::max(layout.alignment, item.bytes);
      layout.items.push_back(item);
    }
  }
  std::stable_sort(layout.items.begin(), layout.items.end(),
                   [](const StateItem& a, const StateItem& b) { return a.offset < b.offset; });
  if (local_bytes != 0) {
    layout.alignment = widest_access;
    layout.local_offset = rounded_up(layout.bytes, widest_access);
    layout.bytes = layout.local_offset + local_bytes;
  }
  layout.bytes = rounded_up(layout.bytes, layout.alignment);
  return layout;
}

std::vector<StateAccess> accesses_to(const StateLayout& layout, const WrittenKernel& kernel, const Transfers& transfers,
                                     const ValueSet& values) {
  std::vector<bool> words(transfers.predicate_words, false);
  for (auto value = values.find_first(); value != ValueSet::npos; value = values.find_next(value)) {
    if (kernel.values[value].predicate()) words[transfers.predicates[value].word] = true;
  }
  std::vector<StateItem> wanted;
  for (const StateItem& item : layout.items) {
    if (item.predicates ? words[item.index] : values[item.index]) wanted.push_back(item);
  }
  std::vector<StateAccess> result;
  for (std::size_t i = 0; i < wanted.size();) {
    const unsigned bytes = wanted[i].bytes;
    std::size_t run = 1;
    while (i + run < wanted.size() && run < most_elements && wanted[i + run].bytes == bytes &&
           wanted[i + run].offset == wanted[i].offset + run * bytes)
      ++run;
    std::size_t take = layout.alignment == widest_access ? most_elements : 1;
    while (take > run || take * bytes > widest_access || wanted[i].offset % (take * bytes) != 0) take /= 2;
    StateAccess access{wanted[i].offset, {}};
    for (; take != 0; --take) access.items.push_back(wanted[i++]);
    result.push_back(std::move(access));
  }
  return result;
}

std::uint32_t bytes_of(const std::vector<StateAccess>& accesses) {
  return std::accumulate(accesses.begin(), accesses.end(), std::uint32_t{0},
                         [](std::uint32_t sum, const StateAccess& access) { return sum + access.bytes(); });
}

}  // namespace reconverge::kernel
