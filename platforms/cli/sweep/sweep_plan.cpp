// SPDX-License-Identifier: Apache-2.0
#include "platforms/cli/sweep/sweep_plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <set>

#include "models/core/digest.hpp"
#include "platforms/cli/run/task.hpp"
#include "platforms/report/build_info.hpp"

namespace reconverge::cli {

namespace {

namespace fs = std::filesystem;

/// A section in one spelling, whatever its layout in the file.
void add_text(std::string& text, const YamlNode& node) {
  if (node.is_map()) {
    text += '{';
    for (const auto& [key, value] : node.pairs()) {
      text += key.scalar() + ':';
      add_text(text, value);
      text += ',';
    }
    text += '}';
  } else if (node.is_list()) {
    text += '[';
    for (const YamlNode& item : node.items()) {
      add_text(text, item);
      text += ',';
    }
    text += ']';
  } else if (node.is_scalar()) {
    text += fmt::format("{}'{}'", node.scalar().size(), node.scalar());
  }
}

sweep::Parameters parameters_of(const configuration::Configuration& configuration) {
  sweep::Parameters parameters;
  for (const configuration::Entry& entry : configuration.entries()) parameters[entry.path] = entry.value;
  return parameters;
}

class Planner {
 public:
  Planner(const SpaceOptions& options, const PointOptions& each)
      : options_(options), each_(each), space_(read_space(options, each.plugins.kinds())), digests_(each) {}

  std::vector<sweep::Point> plan(const ProgressSink& sink) {
    const std::vector<SpacePoint> all = points_of(space_);
    ProgressLine line(sink);
    for (std::size_t i = 0; i < all.size(); ++i) {
      line.update([&](double /*elapsed*/) { return fmt::format("{} of {} points prepared", i, all.size()); });
      add(all[i]);
    }
    if (points_.empty()) throw InputError({}, "no point of the design space meets its conditions", "change `where`");
    return std::move(points_);
  }

 private:
  /// Names the point in errors.
  template <typename Action>
  static auto about(const sweep::Point& point, Action action) {
    try {
      return action();
    } catch (const InputError& error) {
      throw InputError({}, fmt::format("{}: {}", label_of(point), error.what()),
                       error.hint().empty() ? "exclude such points with `where`" : "");
    }
  }

  void add(const SpacePoint& place) {
    sweep::Point point;
    point.file = place.file;
    point.overrides = options_.overrides;
    if (place.variant) {
      const Variant& variant = space_.variants[*place.variant];
      point.overrides.insert(point.overrides.end(), variant.overrides.begin(), variant.overrides.end());
      point.settings.push_back({"variant", variant.name, true});
    }
    for (std::size_t i = 0; i < space_.axes.size(); ++i) {
      const std::string& path = space_.axes[i].axis.path;
      point.overrides.push_back(fmt::format("{}={}", path, place.values[i]));
      point.settings.push_back({path, place.values[i], true});
    }
    const Experiment experiment = about(point, [&] {
      return load_experiment({point.file, point.overrides, each_.plugins});
    });
    if (!is_inside(place, experiment)) return;
    point.experiment = experiment.parameters.name;
    for (const configuration::Entry& entry : experiment.configuration.entries()) {
      const bool is_swept =
          std::ranges::find(point.settings, entry.path, &sweep::Setting::path) != point.settings.end();
      if (is_swept || entry.origin.kind == configuration::Origin::Kind::block_default) continue;
      point.settings.push_back({entry.path, entry.value, false});
    }
    point.digest = about(point, [&] { return digests_.of(experiment); });
    if (seen_.insert(point.digest).second) points_.push_back(std::move(point));
  }

  bool is_inside(const SpacePoint& place, const Experiment& experiment) const {
    if (space_.conditions.empty()) return true;
    sweep::Parameters parameters = parameters_of(experiment.configuration);
    for (auto& [path, value] : cli::parameters_of(space_, place)) parameters[path] = value;
    return std::ranges::all_of(space_.conditions,
                               [&](const sweep::Condition& condition) { return condition.holds(parameters); });
  }

  const SpaceOptions& options_;
  const PointOptions& each_;
  SpaceFile space_;
  PointDigests digests_;
  std::vector<sweep::Point> points_;
  std::set<std::string> seen_;
};

}  // namespace

PointDigests::PointDigests(const PointOptions& options) {
  const report::BuildInfo build = report::build_info();
  std::string text = fmt::format("point 1\nprogram {} {} {} {}\ncycles {}\n", build.version, build.compiler,
                                 build.build_type, sha256_of_file("/proc/self/exe"), options.limits.cycles);
  for (const std::string& plugin : options.plugins.files()) text += fmt::format("plugin {}\n", sha256_of_file(plugin));
  program_ = sha256(text);
}

const std::string& PointDigests::of_file(const std::string& file) {
  const auto found = files_.find(file);
  if (found != files_.end()) return found->second;
  return files_.emplace(file, sha256_of_file(file)).first->second;
}

std::string PointDigests::of(const Experiment& experiment) {
  std::string text = program_ + '\n';
  for (const configuration::Entry& entry : experiment.configuration.entries()) {
    std::error_code error;
    const bool is_file =
        entry.parameter->type == ParameterType::path && fs::is_regular_file(entry.value, error) && !error;
    text += fmt::format("{}={}\n", entry.path, is_file ? of_file(entry.value) : entry.value);
  }
  for (const configuration::Section& section : experiment.configuration.sections()) {
    text += fmt::format("{}=", section.key.name);
    add_text(text, section.value);
    text += '\n';
  }
  std::vector<std::string> contents;
  for (const std::string& file : task_of(experiment)->inputs()) contents.push_back(of_file(file));
  std::ranges::sort(contents);
  for (const std::string& digest : contents) text += digest + '\n';
  return sha256(text);
}

std::vector<sweep::Point> plan_sweep(const SpaceOptions& space, const PointOptions& options, const ProgressSink& sink) {
  return Planner(space, options).plan(sink);
}

std::string label_of(const sweep::Point& point) {
  std::string label = point.experiment.empty() ? point.file : point.experiment;
  for (const sweep::Setting& setting : point.settings)
    if (setting.swept) label += fmt::format(", {}={}", setting.path, setting.value);
  return label;
}

}  // namespace reconverge::cli
