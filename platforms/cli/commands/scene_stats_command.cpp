// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <boost/json/object.hpp>
#include <cmath>
#include <filesystem>
#include <memory>
#include <optional>

#include "models/core/error.hpp"
#include "platforms/cli/commands/commands.hpp"
#include "platforms/cli/commands/scene_option.hpp"
#include "platforms/cli/output_place.hpp"
#include "platforms/cli/print.hpp"
#include "platforms/configuration/json_text.hpp"
#include "platforms/report/lone_file.hpp"
#include "scenes/files/picture.hpp"
#include "scenes/light/path_tracer.hpp"
#include "scenes/scene_library.hpp"
#include "scenes/scene_statistics.hpp"

namespace reconverge::cli {

namespace {

namespace json = boost::json;

constexpr report::FileKind picture_kind{"a PNG picture", "\x89PNG\r\n"};

/// Two figures are close if neither is larger than the other by more than this.
constexpr double close_enough = 1.2;

struct SceneStatsOptions {
  std::string scene;
  std::string against;
  std::string picture;
  bool force = false;
  double exposure = 1.0;
  std::uint32_t width = 360;
  std::uint32_t height = 270;
  std::uint32_t samples = 64;
  bool json = false;
  bool outside_files = false;
};

/// The range of workload.exposure. A comparison with nan is false.
std::string refusal_of_exposure(const std::string& text) {
  double exposure = 0;
  const bool fits = CLI::detail::lexical_cast(text, exposure) && exposure >= 0.001 && exposure <= 1000.0;
  return fits ? std::string() : fmt::format("'{}' is no number from 0.001 to 1000", text);
}

/// One number for each of two scenes.
struct Compared {
  scenes::NamedFigure figure;
  double other;

  double ratio() const { return other == figure.value ? 1.0 : figure.value / other; }
  bool close() const { return ratio() <= close_enough && ratio() * close_enough >= 1.0; }
};

/// A file without lights is measured without the default lamp.
scenes::SceneStatistics measure_scene(const std::string& scene, bool outside_files) {
  scenes::SceneOptions options = scene_options(outside_files);
  options.add_missing_light = false;
  return scenes::measure(scenes::load_scene(scene, options).mesh);
}

std::string number(double value) {
  return value >= 1000.0 ? fmt::format("{:.0f}", value) : fmt::format("{:.4g}", value);
}

void print_table(const scenes::SceneStatistics& statistics) {
  for (const auto& [name, value] : figures(statistics)) print_formatted("{:<18}{:>12}\n", name, number(value));
}

void print_table(const SceneStatsOptions& options, const std::vector<Compared>& rows) {
  print_formatted("{:<18}{:>12}{:>12}{:>8}\n", "", "scene", "against", "ratio");
  std::size_t close = 0;
  for (const Compared& row : rows) {
    close += row.close() ? 1 : 0;
    print_formatted("{:<18}{:>12}{:>12}{:>8.2f}  {}\n", row.figure.name, number(row.figure.value), number(row.other),
                    row.ratio(), row.close() ? "close" : "apart");
  }
  print_formatted("{} of {} figures of {} are within a factor of {} of {}\n", close, rows.size(), options.scene,
                  close_enough, options.against);
}

void print_details(const scenes::SceneStatistics& statistics) {
  if (statistics.stored_triangles != statistics.triangles) {
    print_formatted("{} triangles with each part that is placed many times counted once\n",
                    statistics.stored_triangles);
  }
  print("materials\n");
  for (const auto& [name, share] : statistics.materials) print_formatted("  {:<24}{:>6.1f} %\n", name, 100.0 * share);
}

json::object as_json(const scenes::SceneStatistics& statistics) {
  json::object object;
  for (const auto& [name, value] : figures(statistics)) object[name] = value;
  object["stored_triangles"] = statistics.stored_triangles;
  json::object materials;
  for (const auto& [name, share] : statistics.materials) materials[name] = share;
  object["materials"] = std::move(materials);
  return object;
}

json::object as_json(const std::vector<Compared>& rows) {
  json::object object;
  for (const Compared& row : rows) {
    object[row.figure.name] = {{"against", row.other}, {"ratio", row.ratio()}, {"close", row.close()}};
  }
  return object;
}

/// The path tracer stores every ray, so samples are taken in small batches.
scenes::Picture paint(const SceneStatsOptions& options) {
  constexpr std::uint32_t samples_at_once = 4;
  scenes::PathTracerOptions tracer{options.width, options.height, samples_at_once, 5, 1, 0, 2};
  const scenes::LoadedScene scene = scenes::load_scene(options.scene, scene_options(options.outside_files));
  std::vector<float> sum(std::size_t{3} * tracer.width * tracer.height);
  const std::uint32_t passes = (options.samples + samples_at_once - 1) / samples_at_once;
  for (; tracer.seed <= passes; ++tracer.seed) {
    const std::vector<float> pass = scenes::trace_paths(scene.mesh, tracer).picture;
    for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += pass[i] / static_cast<float>(passes);
  }
  return scenes::develop(sum, tracer.width, tracer.height, static_cast<float>(options.exposure));
}

ExitCode scene_stats(const SceneStatsOptions& options) {
  const scenes::SceneStatistics statistics = measure_scene(options.scene, options.outside_files);
  json::object object{{"scene", options.scene}, {"statistics", as_json(statistics)}};
  std::vector<Compared> rows;
  if (!options.against.empty()) {
    const auto others = figures(measure_scene(options.against, options.outside_files));
    for (const auto& figure : figures(statistics)) rows.push_back({figure, others[rows.size()].value});
    object["against"] = options.against;
    object["comparison"] = as_json(rows);
  }
  if (options.json) {
    print(configuration::pretty(object));
  } else {
    rows.empty() ? print_table(statistics) : print_table(options, rows);
    print_details(statistics);
  }
  if (!options.picture.empty()) {
    const std::vector<std::uint8_t> bytes = scenes::encode_png(paint(options));
    report::write_file(options.picture, picture_kind, options.force,
                       std::string_view(reinterpret_cast<const char*>(bytes.data()), bytes.size()));
  }
  return ExitCode::success;
}

}  // namespace

void add_scene_stats(CLI::App& app, Command& chosen) {
  CLI::App* command = app.add_subcommand("scene-stats", "Measure what makes a scene hard to trace");
  const auto options = std::make_shared<SceneStatsOptions>();
  command->add_option("scene", options->scene, "Built-in scene or file")->required()->type_name("SCENE");
  command->add_option("--against", options->against, "Built-in scene or file to compare with")->type_name("SCENE");
  add_outside_files_option(*command, options->outside_files);
  command->add_flag("--json", options->json, "As JSON");
  CLI::Option* picture = command->add_option("--picture", options->picture, "PNG file for a picture of the scene")
                             ->check(output_place())
                             ->type_name("FILE");
  command->add_option("--exposure", options->exposure, "Factor on the picture's light")
      ->capture_default_str()
      ->needs(picture)
      ->check(CLI::Validator(refusal_of_exposure, "EXPOSURE"));
  command->add_option("--width", options->width, "Width of the picture in pixels")
      ->capture_default_str()
      ->needs(picture)
      ->check(CLI::Range(1, 4096));
  command->add_option("--height", options->height, "Height of the picture in pixels")
      ->capture_default_str()
      ->needs(picture)
      ->check(CLI::Range(1, 4096));
  command->add_option("--samples", options->samples, "Paths a pixel of the picture")
      ->capture_default_str()
      ->needs(picture)
      ->check(CLI::Range(1, 4096));
  add_force_option(*command, options->force);
  command->footer(
      "Examples:\n"
      "  reconverge scene-stats forest\n"
      "  reconverge scene-stats conference --against room.ply --json\n"
      "  reconverge scene-stats sponza --picture sponza.png --exposure 2");
  command->callback([options, &chosen] { chosen = [options] { return scene_stats(*options); }; });
}

}  // namespace reconverge::cli
