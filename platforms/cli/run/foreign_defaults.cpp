// SPDX-License-Identifier: Apache-2.0
#include "platforms/cli/run/foreign_defaults.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <map>
#include <set>
#include <string_view>

#include "platforms/machines/gpu/schemes.hpp"

namespace reconverge::cli {

namespace {

using configuration::Configuration;
using configuration::Entry;
using configuration::Origin;

constexpr std::string_view machine_of_defaults = "the GTX 780";

/// Texts that sources use for this machine.
constexpr std::array<std::string_view, 5> names_of_its_sources{"GTX 780", "GK110", "Kepler", "DRS Table 1",
                                                               "compute capability 3.5"};

/// Texts that sources use for a value that is not from this machine.
constexpr std::array<std::string_view, 2> denials{"no public figure for GK110", "GK110 has none"};

bool is_of_that_machine(std::string_view source) {
  const auto has = [&](std::string_view text) { return source.find(text) != source.npos; };
  return std::ranges::any_of(names_of_its_sources, has) && std::ranges::none_of(denials, has);
}

bool is_of_gpu(const Entry& entry) { return entry.path.starts_with("gpu."); }

std::string_view block_path(const Entry& entry) {
  return std::string_view(entry.path).substr(0, entry.path.rfind('.'));
}

/// Whether the files describe a machine, and one other than the GTX 780.
bool is_another_machine(const Configuration& configuration) {
  bool any = false;
  for (const Entry& entry : configuration.entries()) {
    if (!is_of_gpu(entry) || entry.origin.kind != Origin::Kind::file || entry.source.empty()) continue;
    if (is_of_that_machine(entry.source)) return false;
    any = true;
  }
  return any;
}

/// Paths of blocks that this machine does not have: memories and schemes that it does not select, caches of size zero.
std::set<std::string> unused_blocks(const Configuration& configuration, const GpuParameters& gpu) {
  std::set<std::string> unused;
  if (gpu.memory == GpuMemory::fixed_latency) {
    unused.insert({"gpu.crossbar", "gpu.l2", "gpu.dram"});
  } else {
    unused.insert("gpu.fixed_latency");
  }
  if (gpu.memory != GpuMemory::external) unused.insert("gpu.external");
  for (const Entry& entry : configuration.entries()) {
    const std::string_view block = block_path(entry);
    if (entry.path == fmt::format("{}.capacity", block) && entry.value == "0 B") unused.emplace(block);
  }
  for (const ChildDescription& scheme : scheme_parts().parts) {
    const bool named = std::ranges::find(gpu.sm.scheme, scheme.name) != gpu.sm.scheme.end();
    if (!named) unused.insert(fmt::format("gpu.sm.{}", scheme.name));
  }
  return unused;
}

/// Memory blocks that the files do not mention: all their defaults count, estimates included.
std::set<std::string> untouched_memory(const Configuration& configuration) {
  std::set<std::string> untouched{"gpu.crossbar", "gpu.l2", "gpu.dram"};
  for (const Entry& entry : configuration.entries()) {
    if (entry.origin.kind == Origin::Kind::file) untouched.erase(std::string(block_path(entry)));
  }
  return untouched;
}

}  // namespace

std::vector<std::string> foreign_defaults(const Configuration& configuration, const GpuParameters& gpu) {
  if (!is_another_machine(configuration)) return {};
  const std::set<std::string> unused = unused_blocks(configuration, gpu);
  const std::set<std::string> untouched = untouched_memory(configuration);
  const auto is_unused = [&](const Entry& entry) {
    return std::ranges::any_of(unused, [&](const std::string& block) { return entry.path.starts_with(block + '.'); });
  };
  std::vector<std::string> paths;
  for (const Entry& entry : configuration.entries()) {
    if (!is_of_gpu(entry) || entry.origin.kind != Origin::Kind::block_default || is_unused(entry)) continue;
    if (is_of_that_machine(entry.source) || untouched.contains(std::string(block_path(entry)))) {
      paths.push_back(entry.path);
    }
  }
  return paths;
}

std::vector<std::string> foreign_warnings(const Configuration& configuration) {
  std::map<std::string_view, std::size_t> blocks;
  std::size_t all = 0;
  for (const Entry& entry : configuration.entries()) {
    if (!entry.foreign) continue;
    ++blocks[block_path(entry)];
    ++all;
  }
  if (all == 0) return {};
  std::string list;
  for (const auto& [block, count] : blocks) list += fmt::format("{}{} ({})", list.empty() ? "" : ", ", block, count);
  return {fmt::format(
      "{} parameters have defaults of another machine, {}, since no file gives a value: {}; --dump-config marks each",
      all, machine_of_defaults, list)};
}

}  // namespace reconverge::cli
