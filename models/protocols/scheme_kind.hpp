// SPDX-License-Identifier: Apache-2.0
#pragma once
/// The registration of a divergence scheme: one value, which the scheme's folder defines and the list of schemes names.

#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "blocks/sm.hpp"
#include "models/core/block_tree.hpp"
#include "models/core/figure.hpp"
#include "models/kernel/extension.hpp"
#include "models/protocols/scheme.hpp"
#include "models/protocols/scheme_list.hpp"

namespace reconverge {

/// The scheme whose block has these parameters, as a part of an SM with the name of the block.
template <typename Parameters>
ChildDescription scheme_part() {
  return part_of<&SmParameters::schemes, Parameters>(Parameters::description().name);
}

/// The line size of a cache that a scheme has.
struct MemoryLine {
  std::string_view parameter;  ///< below the scheme's block, that says how long they are
  std::uint64_t bytes = 0;
};

struct SchemeKind {
  ChildDescription part;  ///< its name in `gpu.sm.scheme`, its block, and its parameters within those of the SM
  SchemeTraits traits{};
  bool beside = false;  ///< an additional scheme: it only handles its extension instructions
  /// The module in an SM.
  std::unique_ptr<Scheme> (*make)(const char* name, const SchemePlace& place) = nullptr;

  /// The reason that it cannot be combined with a path scheme with these traits; null: it can.
  const char* (*disagrees)(const SchemeTraits& paths) = nullptr;
  /// Its extension instructions.
  std::span<const kernel::ExtensionInstruction> (*extensions)() = nullptr;
  /// Throws ParameterError for parameters that are inconsistent; null: all are consistent.
  void (*check_parameters)(const SmParameters& parameters) = nullptr;
  /// Throws InputError, at the PTX line, for a program or launch that an SM with the scheme cannot run.
  void (*check_program)(const kernel::Program& program, const SmParameters& parameters) = nullptr;
  void (*check_launch)(const Launch& launch) = nullptr;
  /// Warnings about program behaviour that may differ from the author's intention, with PTX lines.
  std::vector<kernel::Warning> (*warnings)(const kernel::Program& program, const SmParameters& parameters) = nullptr;
  /// The lines in which it requests memory outside the SM; null: sectors of 32 bytes.
  MemoryLine (*memory_line)(const SmParameters& parameters) = nullptr;
  /// Number of thread states that an SM stores in addition to those of its warps.
  std::uint64_t (*places_beyond_warps)(const SmParameters& parameters) = nullptr;
  /// Its figures, computed from the counters of a platform; null: there are none.
  void (*add_figures)(const Statistics& totals, std::vector<Figure>& figures) = nullptr;
  /// Changes parameters that would prevent the start of a run with very few warps, as used to find errors.
  void (*prepare_rehearsal)(SmParameters& parameters) = nullptr;
};

}  // namespace reconverge
