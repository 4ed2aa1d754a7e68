// SPDX-License-Identifier: Apache-2.0
#include "platforms/cli/sweep/space_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "blocks/experiment.hpp"
#include "models/core/suggestion.hpp"
#include "models/core/yaml_file.hpp"
#include "platforms/launch/keys.hpp"

namespace reconverge::cli {

namespace {

constexpr std::size_t most_points = 1'000'000;
constexpr const char* sample_hint = "write for example {method: latin_hypercube, points: 200, seed: 1}";
constexpr const char* variant_hint = "write `name: {path: value, path: value}` for each variant";

void check_value(const std::string& text, const SourceLocation& location, Kinds kinds) {
  try {
    configuration::canonical_value(with_kinds(experiment_block, kinds), "the setting", text, launch::section_keys());
  } catch (const InputError& error) {
    throw InputError(location, error.what());
  }
}

std::vector<Variant> read_variants(const SpaceEntry& given, Kinds kinds) {
  std::vector<Variant> variants;
  for (const YamlEntry& each : entries(given.file, given.entry.value)) {
    Variant variant{each.key, {}};
    for (const YamlEntry& setting : entries(given.file, each.value)) {
      variant.overrides.push_back(setting_text(given.file, setting.key, setting.value));
      check_value(variant.overrides.back(), setting.location, kinds);
    }
    variants.push_back(std::move(variant));
  }
  if (variants.empty()) throw InputError(given.entry.location, "there are no variants", variant_hint);
  return variants;
}

std::vector<sweep::Condition> read_conditions(const SpaceEntry& given) {
  const YamlNode& value = given.entry.value;
  std::vector<sweep::Condition> conditions;
  const auto add = [&](const YamlNode& node) {
    if (!node.is_scalar())
      throw InputError(locate(given.file, node), "this is no condition", "write one condition a line, after `- `");
    conditions.emplace_back(node.scalar(), locate(given.file, node));
  };
  if (value.is_list()) {
    for (const YamlNode& item : value.items()) add(item);
  } else {
    add(value);
  }
  return conditions;
}

SampleRequest read_sample(const SpaceEntry& given) {
  SampleRequest sample;
  sample.location = given.entry.location;
  std::string method;
  for (const YamlEntry& part : entries(given.file, given.entry.value)) {
    static constexpr std::array<std::string_view, 3> known{"method", "points", "seed"};
    if (std::ranges::find(known, part.key) == known.end())
      throw InputError(part.location, fmt::format("there is no key {} in a sample", part.key),
                       suggest(part.key, known));
    if (part.key == "method") {
      method = part.value.scalar();
      continue;
    }
    const auto number = sweep::number_of(part.value.scalar());
    if (!number || number->kind != sweep::QuantityKind::count)
      throw InputError(part.location, fmt::format("{} is no whole number", part.key), sample_hint);
    if (part.key == "points") sample.points = static_cast<std::size_t>(number->value);
    if (part.key == "seed") sample.seed = static_cast<std::uint64_t>(number->value);
  }
  if (method != "random" && method != "latin_hypercube")
    throw InputError(sample.location, "the method is `random` or `latin_hypercube`", sample_hint);
  sample.latin = method == "latin_hypercube";
  if (sample.points == 0 || sample.points > most_points)
    throw InputError(sample.location, fmt::format("`points` is from 1 to {}", most_points), sample_hint);
  return sample;
}

/// The axes that are continuous ranges.
void add_ranges(SpaceFile& space, const std::vector<ListedSweep>& listed, const SpaceOptions& options, Kinds kinds) {
  for (const ListedSweep& sweep : listed) {
    const auto gives = [&](const std::string& text) { return text.starts_with(sweep.path + '='); };
    if (!sweep.range || std::ranges::any_of(options.sweeps, gives) || std::ranges::any_of(options.overrides, gives))
      continue;
    for (const double end : {0.0, 1.0})
      check_value(fmt::format("{}={}", sweep.path, sweep.range->at(end)), sweep.location, kinds);
    if (!space.sample)
      throw InputError(sweep.location,
                       fmt::format("{}: a range without `step` or `factor` needs a `sample`", sweep.path), sample_hint);
    SpaceAxis axis;
    axis.axis.path = sweep.path;
    axis.axis.name = sweep.path;
    axis.range = sweep.range;
    space.axes.push_back(std::move(axis));
  }
}

void refuse_twice(const SpaceFile& space, const SourceLocation& location) {
  for (const Variant& variant : space.variants) {
    for (const std::string& text : variant.overrides) {
      for (const SpaceAxis& axis : space.axes) {
        if (!text.starts_with(axis.axis.path + '=')) continue;
        throw InputError(location, fmt::format("{} is an axis, and variant {} sets it", axis.axis.path, variant.name),
                         "remove one of the two");
      }
    }
  }
}

}  // namespace

SpaceFile read_space(const SpaceOptions& options, Kinds kinds) {
  const ExpandedFiles expanded = expand_lists(options.files);
  SpaceFile space;
  space.experiments = expanded.files;
  SourceLocation variants_at;
  for (const SpaceEntry& given : expanded.space) {
    if (given.entry.key == "variants") {
      space.variants = read_variants(given, kinds);
      variants_at = given.entry.location;
    }
    if (given.entry.key == "where") space.conditions = read_conditions(given);
    if (given.entry.key == "sample") space.sample = read_sample(given);
  }
  const auto sweeps = joined_sweeps(expanded.sweeps, options.sweeps, options.overrides, kinds);
  for (SweepAxis& axis : read_sweep(sweeps, options.overrides, kinds))
    space.axes.push_back({std::move(axis), std::nullopt});
  add_ranges(space, expanded.sweeps, options, kinds);
  refuse_twice(space, variants_at);
  return space;
}

}  // namespace reconverge::cli
