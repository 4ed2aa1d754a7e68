#pragma once
/// How a divergence scheme is known to all that is not that scheme: one value, which its folder defines and the list of
/// schemes names.

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

namespace reconverge {

/// The scheme whose block has these parameters, called as the block, as a part of an SM.
template <typename Parameters>
ChildDescription scheme_part() {
  return part_of<&SmParameters::schemes, Parameters>(Parameters::description().name);
}

/// Lines of a cache that a scheme has.
struct MemoryLine {
  std::string_view parameter;  ///< below the scheme's block, that says how long they are
  std::uint64_t bytes = 0;
};

struct SchemeKind {
  ChildDescription part;  ///< its name in `gpu.sm.scheme`, its block, and its parameters within those of the SM
  SchemeTraits traits{};
  bool beside = false;  ///< it answers to instructions of its own, beside a scheme that says which paths warps run
  /// The module in an SM.
  std::unique_ptr<Scheme> (*make)(const char* name, const SchemePlace& place) = nullptr;

  /// Why it does not go beside a scheme of paths with such traits; null: it does.
  const char* (*disagrees)(const SchemeTraits& paths) = nullptr;
  /// Instructions of its own.
  std::span<const kernel::ExtensionInstruction> (*extensions)() = nullptr;
  /// Throws ParameterError for parameters that do not go together; null: all do.
  void (*check_parameters)(const SmParameters& parameters) = nullptr;
  /// Throws InputError, at the PTX line, for a program or launch that an SM with the scheme cannot run.
  void (*check_program)(const kernel::Program& program, const SmParameters& parameters) = nullptr;
  void (*check_launch)(const Launch& launch) = nullptr;
  /// What a program may do otherwise than its author means, with PTX lines.
  std::vector<kernel::Warning> (*warnings)(const kernel::Program& program, const SmParameters& parameters) = nullptr;
  /// The lines in which it asks memory behind the SM; null: sectors of 32 bytes.
  MemoryLine (*memory_line)(const SmParameters& parameters) = nullptr;
  /// Threads' worth of state that an SM keeps beyond that of its warps.
  std::uint64_t (*places_beyond_warps)(const SmParameters& parameters) = nullptr;
  /// Figures of its own over what a platform has counted; null: there are none.
  void (*add_figures)(const Statistics& totals, std::vector<Figure>& figures) = nullptr;
  /// Changes what would keep a run with very few warps, made to find errors, from beginning.
  void (*prepare_rehearsal)(SmParameters& parameters) = nullptr;
};

}  // namespace reconverge
