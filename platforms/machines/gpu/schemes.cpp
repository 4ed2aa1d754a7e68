// SPDX-License-Identifier: Apache-2.0
#include "platforms/machines/gpu/schemes.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <stdexcept>
#include <string>

#include "blocks/gpu.hpp"
#include "models/core/error.hpp"
#include "models/core/suggestion.hpp"
#include "models/cosim/dynamic_microkernel/twin.hpp"
#include "models/cosim/dynamic_ray_shuffling/twin.hpp"
#include "models/kernel/analysis/lockstep_sharing.hpp"
#include "models/schemes/convergence_barrier/convergence_barrier.hpp"
#include "models/schemes/mimd/mimd.hpp"
#include "models/schemes/raytrace/raytrace.hpp"
#include "models/schemes/reconvergence_stack/reconvergence_stack.hpp"
#include "models/schemes/subwarp_interleaving/subwarp_interleaving.hpp"
#include "models/schemes/thread_block_compaction/thread_block_compaction.hpp"
#include "models/stream/stream_instructions.hpp"

namespace reconverge {

SchemeList built_in_schemes() {
  static const std::array kinds{&reconvergence_stack_scheme(),   &mimd_scheme(),
                                &dynamic_ray_shuffling_scheme(), &thread_block_compaction_scheme(),
                                &dynamic_microkernel_scheme(),   &convergence_barrier_scheme(),
                                &subwarp_interleaving_scheme(),  &raytrace_scheme()};
  return kinds;
}

namespace {

constexpr const char* key = "gpu.sm.scheme";

bool has_extension(const SchemeKind& kind, const kernel::ExtensionInstruction& extension) {
  if (kind.extensions == nullptr) return false;
  return std::ranges::any_of(kind.extensions(), [&](const kernel::ExtensionInstruction& one) {
    return one.mnemonic == extension.mnemonic && one.writes_state == extension.writes_state;
  });
}

const SchemeKind& find_scheme(std::string_view name, SchemeList kinds) {
  const auto found = std::ranges::find_if(kinds, [&](const SchemeKind* kind) { return kind->part.name == name; });
  if (found != kinds.end()) return **found;
  throw ParameterError(key, fmt::format("there is no scheme {}", name),
                       suggest_or_plugin(name, scheme_parts(kinds).names));
}

}  // namespace

OpenParts scheme_parts(SchemeList kinds) {
  OpenParts schemes{sm_block.parts, {}, {}};
  for (const SchemeKind* kind : kinds) {
    schemes.parts.push_back(kind->part);
    schemes.names.push_back(kind->part.name);
  }
  return schemes;
}

BlockTree with_schemes(const BlockDescription& root, SchemeList kinds) {
  const OpenParts schemes = scheme_parts(kinds);
  return {root, std::span(&schemes, 1)};
}

Statistics gpu_statistics(SchemeList kinds) { return Statistics(with_schemes(gpu_block, kinds)); }

bool has_scheme(const SmParameters& parameters, std::string_view name) {
  return std::ranges::find(parameters.scheme, name) != parameters.scheme.end();
}

std::string scheme_names(const SmParameters& parameters) {
  return fmt::format("{}", fmt::join(parameters.scheme, "+"));
}

std::vector<const SchemeKind*> schemes_of(const SmParameters& parameters, SchemeList kinds) {
  std::vector<const SchemeKind*> schemes;
  for (const std::string& name : parameters.scheme) {
    const SchemeKind& kind = find_scheme(name, kinds);
    if (std::ranges::find(schemes, &kind) != schemes.end()) {
      throw ParameterError(key, fmt::format("{} is named twice", name), "name each scheme once");
    }
    if (kind.beside) {
      schemes.push_back(&kind);
    } else if (!schemes.empty() && !schemes.front()->beside) {
      throw ParameterError(key,
                           fmt::format("{} and {} both decide which paths warps run", schemes.front()->part.name, name),
                           "name one of them");
    } else {
      schemes.insert(schemes.begin(), &kind);
    }
  }
  if (schemes.empty() || schemes.front()->beside) schemes.insert(schemes.begin(), kinds.front());
  for (const SchemeKind* kind : schemes) {
    if (kind->traits.threads && schemes.front()->traits.whole_blocks) {
      throw ParameterError(key,
                           fmt::format("{} creates threads, and {} has no warp slots for them", kind->part.name,
                                       schemes.front()->part.name),
                           "name one of them");
    }
    const char* const reason = kind->disagrees == nullptr ? nullptr : kind->disagrees(schemes.front()->traits);
    if (reason == nullptr) continue;
    throw ParameterError(
        key, fmt::format("{} does not work with {}: {}", kind->part.name, schemes.front()->part.name, reason),
        "name one of them");
  }
  return schemes;
}

std::vector<std::unique_ptr<Scheme>> make_schemes(SchemeList kinds, const SchemePlace& place) {
  std::vector<std::unique_ptr<Scheme>> schemes;
  for (const SchemeKind* kind : kinds) schemes.push_back(kind->make(std::string(kind->part.name).c_str(), place));
  return schemes;
}

WarpSchedulerSlots first_cause_of(const SchemeKind& kind, SchemeList kinds) {
  auto cause = static_cast<std::size_t>(WarpSchedulerSlots::causes);
  for (const SchemeKind* const other : kinds) {
    if (other == &kind) break;
    cause += other->part.block->causes.size();
  }
  return static_cast<WarpSchedulerSlots>(cause);
}

std::string problem_of_causes(SchemeList kinds) {
  std::vector<std::string_view> names;
  for (const StatisticDescription& statistic : warp_scheduler_block.statistics) {
    if (statistic.open_bin != no_bin) names.assign(statistic.bin_names.begin(), statistic.bin_names.end());
  }
  const std::size_t fixed = names.size();
  for (const SchemeKind* const kind : kinds) {
    for (const CauseDescription& cause : kind->part.block->causes) {
      if (std::ranges::find(names, cause.name) != names.end()) {
        return fmt::format("its stall cause {} exists already", cause.name);
      }
      names.push_back(cause.name);
    }
  }
  const std::size_t count = names.size() - fixed;
  if (count <= most_open_bins) return {};
  return fmt::format("with it, schemes have {} stall causes, and at most {} are possible", count, most_open_bins);
}

std::vector<kernel::ExtensionInstruction> extensions_of(SchemeList kinds) {
  std::vector<kernel::ExtensionInstruction> all;
  for (const SchemeKind* const kind : kinds) {
    if (kind->extensions == nullptr) continue;
    const auto own = kind->extensions();
    all.insert(all.end(), own.begin(), own.end());
  }
  const auto streams = stream_instructions();
  all.insert(all.end(), streams.begin(), streams.end());
  return all;
}

std::vector<std::uint8_t> owners_of_extensions(const kernel::Program& program, SchemeList kinds) {
  std::vector<std::uint8_t> owners;
  for (std::size_t i = 0; i < program.extensions.size(); ++i) {
    const kernel::ExtensionInstruction& extension = program.extensions[i];
    const auto owner = std::ranges::find_if(kinds, [&](const auto* kind) { return has_extension(*kind, extension); });
    if (owner == kinds.end()) {
      const auto found = std::ranges::find_if(program.instructions,
                                              [&](const kernel::Instruction& one) { return one.extension == i; });
      if (kernel::forks(*found)) {
        throw InputError({program.file, found->line, 0},
                         fmt::format("'{}' is for a stream processor, and this is a GPU", extension.mnemonic),
                         "set machine to streams, or run another kernel");
      }
      std::string names;
      for (const SchemeKind* kind : built_in_schemes()) {
        if (has_extension(*kind, extension)) names += (names.empty() ? "" : " or ") + std::string(kind->part.name);
      }
      if (names.empty()) {
        throw InputError({program.file, found->line, 0},
                         fmt::format("'{}' is of a scheme that the platform does not have", extension.mnemonic),
                         "name that scheme in gpu.sm.scheme, or run another kernel");
      }
      throw InputError(
          {program.file, found->line, 0},
          fmt::format("'{}' needs the scheme {}, which the platform does not have", extension.mnemonic, names),
          fmt::format("set gpu.sm.scheme to {}, or run another kernel", names));
    }
    owners.push_back(static_cast<std::uint8_t>(owner - kinds.begin()));
  }
  return owners;
}

void check_schemes(SchemeList kinds, const SmParameters& parameters) {
  for (const SchemeKind* kind : kinds) {
    if (kind->check_parameters != nullptr) kind->check_parameters(parameters);
  }
}

void check_program(SchemeList kinds, const kernel::Program& program, const SmParameters& parameters) {
  owners_of_extensions(program, kinds);
  for (const SchemeKind* kind : kinds) {
    if (kind->check_program != nullptr) kind->check_program(program, parameters);
  }
}

void check_launch(SchemeList kinds, const Launch& launch) {
  for (const SchemeKind* kind : kinds) {
    if (kind->check_launch != nullptr) kind->check_launch(launch);
  }
}

std::vector<std::string> scheme_warnings(SchemeList kinds, const kernel::Program& program,
                                         const SmParameters& parameters) {
  std::vector<std::string> texts;
  const auto add = [&](const std::vector<kernel::Warning>& warnings) {
    for (const kernel::Warning& warning : warnings) texts.push_back(to_string(program, warning));
  };
  if (kinds.front()->traits.lanes_alone) add(kernel::lockstep_sharing(program));
  for (const SchemeKind* kind : kinds) {
    if (kind->warnings != nullptr) add(kind->warnings(program, parameters));
  }
  return texts;
}

}  // namespace reconverge
