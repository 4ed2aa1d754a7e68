#include "platforms/gpu/schemes.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>

#include "blocks/dynamic_ray_shuffling.hpp"
#include "blocks/gpu.hpp"
#include "blocks/mimd.hpp"
#include "blocks/reconvergence_stack.hpp"
#include "blocks/thread_block_compaction.hpp"
#include "models/core/error.hpp"
#include "models/core/suggestion.hpp"

namespace reconverge {

std::span<const SchemeKind> built_in_schemes() {
  static const std::array kinds{scheme_kind<ReconvergenceStackParameters>(), scheme_kind<MimdParameters>(),
                                scheme_kind<DynamicRayShufflingParameters>(),
                                scheme_kind<ThreadBlockCompactionParameters>()};
  return kinds;
}

std::vector<ChildDescription> scheme_parts(std::span<const SchemeKind> kinds) {
  std::vector<ChildDescription> parts;
  for (const SchemeKind& kind : kinds) parts.push_back(kind.part);
  return parts;
}

BlockTree with_schemes(const BlockDescription& root, std::span<const SchemeKind> kinds) {
  return {root, scheme_parts(kinds)};
}

Statistics gpu_statistics(std::span<const SchemeKind> kinds) {
  return Statistics(with_schemes(gpu_block, kinds).root());
}

bool has_scheme(const SmParameters& parameters, std::string_view name) {
  return std::find(parameters.scheme.begin(), parameters.scheme.end(), name) != parameters.scheme.end();
}

std::string scheme_names(const SmParameters& parameters) {
  return fmt::format("{}", fmt::join(parameters.scheme, "+"));
}

void check_schemes(const SmParameters& parameters, std::span<const SchemeKind> kinds) {
  constexpr const char* key = "gpu.sm.scheme";
  if (parameters.scheme.size() != 1) {
    throw ParameterError(key, fmt::format("{} schemes for one SM", parameters.scheme.size()), "name one");
  }
  std::vector<std::string_view> names;
  for (const SchemeKind& kind : kinds) names.push_back(kind.part.name);
  const std::string& name = parameters.scheme.front();
  if (std::find(names.begin(), names.end(), name) == names.end()) {
    throw ParameterError(key, fmt::format("there is no scheme {}", name), suggest(name, names));
  }
}

}  // namespace reconverge
