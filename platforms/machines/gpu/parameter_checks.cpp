// SPDX-License-Identifier: Apache-2.0
#include "platforms/machines/gpu/parameter_checks.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "models/core/error.hpp"
#include "models/core/quantity.hpp"
#include "models/memory/sector_tags.hpp"
#include "models/protocols/scheme_kind.hpp"
#include "models/sm/wake_ring.hpp"
#include "platforms/machines/gpu/schemes.hpp"

namespace reconverge {

namespace {

/// An L1 request for a line goes to one L2 line.
void require_no_longer(const std::string& key, std::uint64_t line, std::uint64_t second_level_line) {
  if (line <= second_level_line) return;
  throw ParameterError(key, fmt::format("{} bytes, and gpu.l2.line has {}", line, second_level_line),
                       "a line of the first level may not be longer than one of the second");
}

/// The capacity of a cache, if any, must consist of whole lines and ways.
template <typename Parameters>
void check_first_level(const std::string& name, const Parameters& cache) {
  if (cache.capacity == 0) return;
  about_parameter("gpu.sm." + name + ".capacity",
                  [&] { return SectorTags(cache.capacity, cache.line, cache.ways, name.c_str()); });
}

void check_constant_l15(const SmParameters& sm) {
  const auto& l15 = sm.constant_l15;
  if (l15.capacity == 0) return;
  about_parameter("gpu.sm.constant_l15.capacity",
                  [&] { return SectorTags(l15.capacity, sm.constant_cache.line, l15.ways, "constant_l15"); });
  if (sm.constant_cache.capacity == 0) {
    throw ParameterError("gpu.sm.constant_l15.capacity", "there is no cache before it",
                         "give gpu.sm.constant_cache a capacity");
  }
}

/// Between two refreshes a bank must be able to open a row and to read it.
void check_refresh(const DramParameters& dram) {
  const std::uint64_t least = 2 * (dram.t_rfc + dram.t_rp + dram.t_ras + dram.t_rcd);
  if (dram.t_refi == 0 || dram.t_refi >= least) return;
  throw ParameterError("gpu.dram.t_refi", format_cycles(dram.t_refi),
                       fmt::format("give at least {}, twice t_rfc + t_rp + t_ras + t_rcd", format_cycles(least)));
}

/// Shared memory and what it leaves to the L1 cache must fit its storage, for each way to divide it.
void check_carve_outs(const SmParameters& sm) {
  if (sm.carve_outs.empty()) return;
  const auto refuse = [](const std::string& what, const std::string& hint) {
    throw ParameterError("gpu.sm.carve_outs", what, hint);
  };
  if (!std::ranges::is_sorted(sm.carve_outs)) refuse("not in ascending order", "sort them");
  const std::uint64_t most = sm.carve_outs.back() * 1024;
  if (most < sm.shared_memory) {
    refuse(fmt::format("the largest is less than gpu.sm.shared_memory ({})", format_bytes(sm.shared_memory)),
           "add a larger one, or lower gpu.sm.shared_memory");
  }
  if (most >= sm.l1.capacity) refuse("the largest leaves nothing to the L1 cache", "raise gpu.sm.l1.capacity");
  for (const std::uint64_t kib : sm.carve_outs) {
    about_parameter("gpu.sm.carve_outs",
                    [&] { return SectorTags(sm.l1.capacity - kib * 1024, sm.l1.line, sm.l1.ways, "l1"); });
  }
}

}  // namespace

const GpuParameters& checked(const GpuParameters& parameters, SchemeList schemes) {
  const auto& l2 = parameters.l2;
  check_first_level("l1", parameters.sm.l1);
  check_first_level("texture_cache", parameters.sm.texture_cache);
  check_first_level("constant_cache", parameters.sm.constant_cache);
  check_constant_l15(parameters.sm);
  const auto& fetch = parameters.sm.fetch;
  const auto& code = parameters.sm.instruction_cache;
  if (fetch.capacity != 0) {
    about_parameter("gpu.sm.fetch.capacity",
                    [&] { return SectorTags(fetch.capacity, fetch.line, fetch.ways, "instruction_fetch"); });
  }
  about_parameter("gpu.sm.instruction_cache.capacity",
                  [&] { return SectorTags(code.capacity, fetch.line, code.ways, "instruction_cache"); });
  const std::uint64_t slots = parameters.sm.warp_slots;
  if (slots > WakeRing::capacity * parameters.sm.scheduler.count) {
    throw ParameterError("gpu.sm.warp_slots",
                         fmt::format("{} slots for {} schedulers", slots, parameters.sm.scheduler.count),
                         fmt::format("a scheduler holds {} warps: raise gpu.sm.scheduler.count", WakeRing::capacity));
  }
  if (parameters.sm.load_store.pipeline == LoadStorePipeline::shared && parameters.sm.operand_collector.units != 0) {
    throw ParameterError("gpu.sm.load_store.pipeline", "shared, and gpu.sm.operand_collector.units is not 0",
                         "an SM with one pipeline has no operand collector: set its units to 0");
  }
  check_schemes(schemes, parameters.sm);
  check_carve_outs(parameters.sm);
  if (parameters.memory == GpuMemory::hierarchy) {
    check_refresh(parameters.dram);
    require_no_longer("gpu.sm.l1.line", parameters.sm.l1.line, l2.line);
    require_no_longer("gpu.sm.texture_cache.line", parameters.sm.texture_cache.line, l2.line);
    require_no_longer("gpu.sm.constant_cache.line", parameters.sm.constant_cache.line, l2.line);
    require_no_longer("gpu.sm.fetch.line", fetch.line, l2.line);
    for (const SchemeKind* kind : schemes) {
      if (kind->memory_line == nullptr) continue;
      const auto [parameter, bytes] = kind->memory_line(parameters.sm);
      require_no_longer(fmt::format("gpu.sm.{}.{}", kind->part.name, parameter), bytes, l2.line);
    }
  }
  return parameters;
}

}  // namespace reconverge
