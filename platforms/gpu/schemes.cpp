#include "platforms/gpu/schemes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <stdexcept>
#include <string>

#include "models/core/error.hpp"
#include "models/dynamic_ray_shuffling/twin/twin.hpp"
#include "models/mimd/mimd.hpp"
#include "models/reconvergence_stack/reconvergence_stack.hpp"
#include "models/thread_block_compaction/thread_block_compaction.hpp"

namespace reconverge {

std::span<const SchemeKind* const> built_in_schemes() {
  static const std::array schemes{&reconvergence_stack_scheme(), &mimd_scheme(), &dynamic_ray_shuffling_scheme(),
                                  &thread_block_compaction_scheme()};
  return schemes;
}

namespace {

bool has_extension(const SchemeKind& kind, std::string_view mnemonic) {
  if (kind.extensions == nullptr) return false;
  return std::ranges::any_of(kind.extensions(), [&](const auto& one) { return one.mnemonic == mnemonic; });
}

}  // namespace

const SchemeKind* find_scheme(std::string_view name) {
  const auto found = std::ranges::find_if(built_in_schemes(), [&](const auto* kind) { return kind->name == name; });
  return found == built_in_schemes().end() ? nullptr : *found;
}

std::vector<const SchemeKind*> schemes_of(const SmParameters& parameters) {
  const SchemeKind* const kind = find_scheme(to_string(parameters.scheme));
  if (kind->beside) return {built_in_schemes().front(), kind};
  return {kind};
}

std::vector<std::unique_ptr<Scheme>> make_schemes(std::span<const SchemeKind* const> kinds,
                                                  const SchemePlace& place) {
  std::vector<std::unique_ptr<Scheme>> schemes;
  for (const SchemeKind* kind : kinds) schemes.push_back(kind->make(std::string(kind->name).c_str(), place));
  return schemes;
}

WarpSchedulerSlots first_cause_of(const SchemeKind& kind) {
  if (kind.causes.empty()) return WarpSchedulerSlots::empty;
  for (auto cause = WarpSchedulerSlots{}; cause != WarpSchedulerSlots::empty;
       cause = static_cast<WarpSchedulerSlots>(static_cast<unsigned>(cause) + 1)) {
    if (to_string(cause) == kind.causes.front()) return cause;
  }
  throw std::logic_error(fmt::format("warp_scheduler has no cause {}", kind.causes.front()));
}

std::vector<std::uint8_t> owners_of_extensions(const kernel::Program& program,
                                               std::span<const SchemeKind* const> kinds) {
  std::vector<std::uint8_t> owners;
  for (std::size_t i = 0; i < program.extensions.size(); ++i) {
    const std::string& mnemonic = program.extensions[i];
    const auto owner = std::ranges::find_if(kinds, [&](const auto* kind) { return has_extension(*kind, mnemonic); });
    if (owner == kinds.end()) {
      const auto found = std::ranges::find_if(program.instructions, [&](const kernel::Instruction& one) {
        return one.opcode == kernel::Opcode::extension && one.extension == i;
      });
      std::string names;
      for (const SchemeKind* kind : built_in_schemes()) {
        if (has_extension(*kind, mnemonic)) names += (names.empty() ? "" : " or ") + std::string(kind->name);
      }
      throw InputError({program.file, found->line, 0},
                       fmt::format("'{}' needs the scheme {}, which the platform does not have", mnemonic, names),
                       fmt::format("set gpu.sm.scheme to {}, or run another kernel", names));
    }
    owners.push_back(static_cast<std::uint8_t>(owner - kinds.begin()));
  }
  return owners;
}

void check_schemes(std::span<const SchemeKind* const> kinds, const SmParameters& parameters) {
  for (const SchemeKind* kind : kinds) {
    if (kind->check_parameters != nullptr) kind->check_parameters(parameters);
  }
}

void check_program(std::span<const SchemeKind* const> kinds, const kernel::Program& program,
                   const SmParameters& parameters) {
  owners_of_extensions(program, kinds);
  for (const SchemeKind* kind : kinds) {
    if (kind->check_program != nullptr) kind->check_program(program, parameters);
  }
}

void check_launch(std::span<const SchemeKind* const> kinds, const Launch& launch) {
  for (const SchemeKind* kind : kinds) {
    if (kind->check_launch != nullptr) kind->check_launch(launch);
  }
}

}  // namespace reconverge
