// SPDX-License-Identifier: Apache-2.0
// The points of a design space.

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "platforms/cli/sweep/space_file.hpp"
#include "platforms/sweep/samples.hpp"

namespace reconverge::cli {

namespace {

constexpr std::size_t most_combinations = 1'000'000;
/// Random points that are tried for each point of a sample.
constexpr std::size_t most_tries = 1'000;

/// The number of choices of each dimension: experiments, variants, and each axis; 0 for a continuous range.
std::vector<std::size_t> dimensions_of(const SpaceFile& space) {
  std::vector<std::size_t> choices{space.experiments.size(), std::max<std::size_t>(space.variants.size(), 1)};
  for (const SpaceAxis& axis : space.axes) choices.push_back(axis.range ? 0 : axis.axis.canonical.size());
  return choices;
}

/// The point with a choice in each dimension; `fractions` has the values of continuous ranges.
SpacePoint point_at(const SpaceFile& space, const std::vector<std::size_t>& choice,
                    const sweep::UnitPoint& fractions = {}) {
  SpacePoint point;
  point.file = space.experiments[choice[0]];
  if (!space.variants.empty()) point.variant = choice[1];
  for (std::size_t i = 0; i < space.axes.size(); ++i) {
    const SpaceAxis& axis = space.axes[i];
    point.values.push_back(axis.range ? axis.range->at(fractions[i + 2]) : axis.axis.canonical[choice[i + 2]]);
  }
  return point;
}

/// The point at a place of the unit cube.
SpacePoint point_in(const SpaceFile& space, const std::vector<std::size_t>& choices,
                    const sweep::UnitPoint& fractions) {
  std::vector<std::size_t> choice;
  for (std::size_t i = 0; i < choices.size(); ++i)
    choice.push_back(static_cast<std::size_t>(fractions[i] * static_cast<double>(choices[i])));
  return point_at(space, choice, fractions);
}

/// Whether the point meets the conditions on axes and variants. Others need the configuration.
bool is_inside(const SpaceFile& space, const SpacePoint& point) {
  const sweep::Parameters parameters = parameters_of(space, point);
  return std::ranges::all_of(space.conditions, [&](const sweep::Condition& condition) {
    const bool known =
        std::ranges::all_of(condition.paths(), [&](const std::string& path) { return parameters.contains(path); });
    return !known || condition.holds(parameters);
  });
}

std::vector<SpacePoint> grid(const SpaceFile& space) {
  const std::vector<std::size_t> choices = dimensions_of(space);
  std::size_t all = 1;
  for (const std::size_t each : choices) {
    all *= each;
    if (all > most_combinations)
      throw InputError({}, fmt::format("the design space has more than {} combinations", most_combinations),
                       "take a sample of it: `sample: {method: latin_hypercube, points: 1000, seed: 1}`");
  }
  std::vector<SpacePoint> points;
  std::vector<std::size_t> choice(choices.size(), 0);
  for (std::size_t i = 0; i < all; ++i) {
    SpacePoint point = point_at(space, choice);
    if (is_inside(space, point)) points.push_back(std::move(point));
    // The last axis varies fastest.
    for (std::size_t d = choices.size(); d-- > 0;) {
      if (++choice[d] < choices[d]) break;
      choice[d] = 0;
    }
  }
  return points;
}

std::vector<SpacePoint> sampled(const SpaceFile& space, const SampleRequest& sample) {
  const std::vector<std::size_t> choices = dimensions_of(space);
  std::vector<SpacePoint> points;
  std::set<std::vector<std::string>> seen;
  const auto add = [&](const sweep::UnitPoint& fractions) {
    SpacePoint point = point_in(space, choices, fractions);
    if (!is_inside(space, point)) return;
    std::vector<std::string> key = point.values;
    key.push_back(point.file);
    key.push_back(point.variant ? std::to_string(*point.variant) : std::string());
    if (seen.insert(std::move(key)).second) points.push_back(std::move(point));
  };
  if (sample.latin) {
    for (const sweep::UnitPoint& each : sweep::latin_hypercube(sample.points, choices.size(), sample.seed)) add(each);
    return points;
  }
  sweep::UniformPoints random(choices.size(), sample.seed);
  for (std::size_t tries = 0; points.size() < sample.points; ++tries) {
    if (tries == most_tries * sample.points)
      throw InputError(sample.location,
                       fmt::format("only {} different points that meet the conditions were found", points.size()),
                       "ask for fewer points, or leave out `sample`");
    add(random.next());
  }
  return points;
}

}  // namespace

sweep::Parameters parameters_of(const SpaceFile& space, const SpacePoint& point) {
  sweep::Parameters parameters;
  if (point.variant) {
    const Variant& variant = space.variants[*point.variant];
    parameters["variant"] = variant.name;
    for (const std::string& text : variant.overrides) {
      const std::size_t equals = text.find('=');
      parameters[text.substr(0, equals)] = text.substr(equals + 1);
    }
  }
  for (std::size_t i = 0; i < space.axes.size(); ++i) parameters[space.axes[i].axis.path] = point.values[i];
  return parameters;
}

std::vector<SpacePoint> points_of(const SpaceFile& space) {
  std::vector<SpacePoint> points = space.sample ? sampled(space, *space.sample) : grid(space);
  if (points.empty()) throw InputError({}, "no point of the design space meets its conditions", "change `where`");
  return points;
}

}  // namespace reconverge::cli
