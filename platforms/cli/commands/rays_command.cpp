// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <filesystem>
#include <memory>

#include "models/core/error.hpp"
#include "platforms/cli/commands/commands.hpp"
#include "platforms/cli/commands/scene_option.hpp"
#include "platforms/cli/output_place.hpp"
#include "platforms/cli/print.hpp"
#include "platforms/experiment/workload_memory.hpp"
#include "platforms/report/lone_file.hpp"
#include "scenes/files/ray_stream_file.hpp"
#include "scenes/light/path_tracer.hpp"
#include "scenes/scene_library.hpp"

namespace reconverge::cli {

namespace {

constexpr report::FileKind rays_kind{"a file of recorded rays", "RCVRAYS\n"};

struct RaysOptions {
  std::string scene = "conference";
  std::string out;
  std::string info;
  bool outside_files = false;
  bool force = false;
  scenes::PathTracerOptions tracer{.width = 320, .height = 240, .samples_per_pixel = 1, .bounces = 3};
};

void print_streams(const scenes::RayStreams& streams) {
  print_formatted("scene {}, {} triangles; {} x {} pixels, {} samples each, seed {}\n", streams.scene,
                  streams.scene_triangles, streams.width, streams.height, streams.samples_per_pixel, streams.seed);
  print_formatted("{:<10}{:>14}{:>14}\n", "bounce", "extension", "shadow");
  std::size_t extension = 0;
  std::size_t shadow = 0;
  for (std::size_t bounce = 0; bounce < streams.bounces(); ++bounce) {
    const std::size_t to_surface = streams.extension[bounce].rays.size();
    const std::size_t to_light = streams.shadow[bounce].rays.size();
    print_formatted("{:<10}{:>14}{:>14}\n", bounce + 1, to_surface, to_light);
    extension += to_surface;
    shadow += to_light;
  }
  print_formatted("{:<10}{:>14}{:>14}\n", "all", extension, shadow);
}

/// A write error is not an error of the input.
template <typename Write>
void output(Write&& write) {
  try {
    write();
  } catch (const InputError& error) {
    throw report::OutputError(error.what());
  }
}

ExitCode record(const RaysOptions& options) {
  if (options.out.empty()) {
    throw InputError({}, "rays: nothing to do",
                     "give --out FILE to record rays, or --info FILE to look at recorded ones");
  }
  output([&] { scenes::check_stream_place(options.out); });  // before the long part
  report::check_place(options.out, rays_kind, options.force);
  const scenes::LoadedScene scene = scenes::load_scene(options.scene, scene_options(options.outside_files));
  check_recording_memory(scene.mesh, options.tracer);
  const scenes::RayStreams streams = scenes::trace_paths(scene.mesh, options.tracer);
  output([&] { scenes::save_streams(streams, options.out); });
  print_streams(streams);
  print_formatted("Rays in {}\n", options.out);
  return ExitCode::success;
}

ExitCode rays(const RaysOptions& options) {
  if (options.info.empty()) return record(options);
  print_streams(scenes::load_streams(options.info));
  return ExitCode::success;
}

}  // namespace

void add_rays(CLI::App& app, Command& chosen) {
  CLI::App* command = app.add_subcommand("rays", "Record the rays of a path tracer, or look at recorded ones");
  const auto options = std::make_shared<RaysOptions>();
  scenes::PathTracerOptions& tracer = options->tracer;
  CLI::Option* out =
      command->add_option("--out", options->out, "File to record to")->check(output_place())->type_name("FILE");
  command->add_option("--info", options->info, "Recorded file to describe")->type_name("FILE")->excludes(out);
  command->add_option("--scene", options->scene, "Built-in scene or file")->capture_default_str()->type_name("SCENE");
  add_outside_files_option(*command, options->outside_files);
  command->add_option("--width", tracer.width, "Picture width in pixels")->capture_default_str();
  command->add_option("--height", tracer.height, "Picture height in pixels")->capture_default_str();
  command->add_option("--samples", tracer.samples_per_pixel, "Paths a pixel")->capture_default_str();
  command->add_option("--bounces", tracer.bounces, "Extension rays of a path")->capture_default_str();
  command->add_option("--seed", tracer.seed, "Seed of the path tracer")->capture_default_str();
  command->add_option("--max-rays", tracer.max_rays, "Most rays of a stream; 0 for all")->capture_default_str();
  command
      ->add_option("--occlusion", tracer.occlusion_rays,
                   "Ambient occlusion rays for each camera ray that hits (with --bounces 1); 0 for paths")
      ->capture_default_str();
  command
      ->add_option("--occlusion-distance", tracer.occlusion_distance,
                   "Length of occlusion rays, relative to the diagonal of the scene")
      ->capture_default_str();
  add_force_option(*command, options->force);
  command->footer(
      "Examples:\n"
      "  reconverge rays --scene conference --width 640 --height 480 --samples 4 --bounces 8 --out conference.rays\n"
      "  reconverge rays --info conference.rays");
  command->callback([options, &chosen] { chosen = [options] { return rays(*options); }; });
}

}  // namespace reconverge::cli
