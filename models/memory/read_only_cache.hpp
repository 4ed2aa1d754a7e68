// SPDX-License-Identifier: Apache-2.0
#pragma once
/// Texture caches, constant caches and the node caches of traversal units are first-level caches without writes:
/// L1Cache with a part of its parameters and statistics, or a texture cache that answers in a fixed order.

#include <memory>

#include "blocks/constant_cache.hpp"
#include "blocks/constant_l15.hpp"
#include "blocks/node_cache.hpp"
#include "models/memory/in_order_texture_cache.hpp"
#include "models/memory/l1_cache.hpp"
#include "models/memory/miss_ordered_texture_cache.hpp"

namespace reconverge {

/// Converts the parameters of a texture, constant or node cache to those of L1Cache.
template <typename Parameters>
L1CacheParameters as_l1_cache(const Parameters& parameters) {
  L1CacheParameters l1;
  l1.capacity = parameters.capacity;
  l1.line = parameters.line;
  l1.ways = parameters.ways;
  l1.banks = 1;
  if constexpr (requires { parameters.banks; }) l1.banks = parameters.banks;
  l1.hit_latency = parameters.hit_latency;
  l1.mshrs = parameters.mshrs;
  l1.merges = parameters.merges;
  return l1;
}

/// The L1.5 cache after a constant cache.
inline L1CacheParameters as_l1_cache(const ConstantL15Parameters& parameters, const ConstantCacheParameters& before) {
  L1CacheParameters l1;
  l1.capacity = parameters.capacity;
  l1.line = before.line;
  l1.ways = parameters.ways;
  l1.banks = 1;
  l1.hit_latency = parameters.hit_latency;
  l1.mshrs = before.mshrs;
  l1.merges = before.mshrs;
  return l1;
}

/// The texture cache of SM `sm`.
inline std::unique_ptr<FirstLevelCache> make_texture_cache(const char* name, const TextureCacheParameters& parameters,
                                                           std::uint32_t sm, const Clock& clock) {
  switch (parameters.answers) {
    case TextureCacheAnswers::in_order:
      return std::make_unique<InOrderTextureCache>(name, parameters, sm, clock);
    case TextureCacheAnswers::misses_in_order:
      return std::make_unique<MissOrderedTextureCache>(name, parameters, sm, clock);
    case TextureCacheAnswers::any_order:
      break;
  }
  return std::make_unique<L1Cache>(name, as_l1_cache(parameters), sm, clock, true);
}

/// The counters of such a cache, as the statistics of its block.
template <typename Statistics>
Statistics read_statistics(const L1CacheStatistics& l1) {
  Statistics statistics;
  statistics.hits = l1.hits;
  statistics.misses = l1.misses;
  if constexpr (requires { statistics.sector_misses; }) statistics.sector_misses = l1.sector_misses;
  if constexpr (requires { statistics.merges; }) statistics.merges = l1.merges;
  if constexpr (requires { statistics.bank_conflict_cycles; })
    statistics.bank_conflict_cycles = l1.bank_conflict_cycles;
  if constexpr (requires { statistics.mshr_stalls; }) statistics.mshr_stalls = l1.mshr_stalls;
  statistics.fetched_sectors = l1.fetched_sectors;
  return statistics;
}

}  // namespace reconverge
