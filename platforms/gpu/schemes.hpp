#pragma once
/// The divergence schemes that an SM can have: each a part of it that its block file does not name.

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "blocks/sm.hpp"
#include "models/core/block_tree.hpp"
#include "models/core/statistics_tree.hpp"

namespace reconverge {

/// What a scheme brings along.
struct SchemeKind {
  ChildDescription part;  ///< its name, its block, and its parameters within those of the SM
};

/// A scheme of the block with these parameters, called as the block.
template <typename Parameters>
SchemeKind scheme_kind() {
  return {part_of<&SmParameters::schemes, Parameters>(Parameters::description().name)};
}

/// Those of this library, in report order.
std::span<const SchemeKind> built_in_schemes();

/// The same as parts of an SM.
std::vector<ChildDescription> scheme_parts(std::span<const SchemeKind> kinds = built_in_schemes());

/// `root` and the blocks within it, SMs with these schemes as parts.
BlockTree with_schemes(const BlockDescription& root, std::span<const SchemeKind> kinds = built_in_schemes());

/// Zeros for all blocks of a GPU.
Statistics gpu_statistics(std::span<const SchemeKind> kinds = built_in_schemes());

/// Whether `parameters` ask for the scheme of that name.
bool has_scheme(const SmParameters& parameters, std::string_view name);

/// The names in force, joined by `+`.
std::string scheme_names(const SmParameters& parameters);

/// Throws ParameterError unless the SM has one scheme, of those there are.
void check_schemes(const SmParameters& parameters, std::span<const SchemeKind> kinds = built_in_schemes());

}  // namespace reconverge
