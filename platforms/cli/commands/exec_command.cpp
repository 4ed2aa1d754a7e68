// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "models/core/error.hpp"
#include "models/core/host_error.hpp"
#include "models/core/team.hpp"
#include "platforms/cli/commands/commands.hpp"
#include "platforms/cli/output_place.hpp"
#include "platforms/cli/run/foreign_defaults.hpp"
#include "platforms/cli/run/run_limits.hpp"
#include "platforms/cuda/executable.hpp"
#include "platforms/cuda/settings.hpp"
#include "platforms/host/installation.hpp"

namespace reconverge::cli {

namespace {

namespace fs = std::filesystem;

struct ExecCommand {
  cuda::Settings settings;
  Plugins plugins;
  std::vector<std::string> program;  // and its arguments
};

/// A file of the user, or one of the shipped platforms.
std::string platform_file(const std::string& name) {
  std::error_code ignored;
  if (fs::exists(name, ignored)) return name;
  const fs::path shipped = data_folder() / "yaml/platforms" / name;
  if (fs::exists(shipped, ignored)) return shipped.string();
  throw InputError({name}, "there is no such platform, here or among the shipped ones",
                   fmt::format("{} holds these", shipped.parent_path().string()));
}

void set_environment(const char* name, const std::string& value) {
  if (::setenv(name, value.c_str(), 1) != 0) throw HostError(fmt::format("cannot set {}: {}", name, strerror(errno)));
}

/// Our library instead of NVIDIA's.
void use_libraries() {
  const fs::path folder = library_folder();
  if (!fs::exists(folder / "libreconverge_cuda.so")) {
    throw InputError({(folder / "libreconverge_cuda.so").string()}, "the library for CUDA programs is not there",
                     "install the program as a whole, or build the target reconverge_cuda_runtime");
  }
  const char* const others = std::getenv("LD_LIBRARY_PATH");
  set_environment("LD_LIBRARY_PATH", others == nullptr ? folder.string() : folder.string() + ":" + others);
  set_environment("SYSTEMC_DISABLE_COPYRIGHT_MESSAGE", "DISABLE");
}

ExitCode exec(ExecCommand command) {
  cuda::Settings& settings = command.settings;
  const fs::path program = cuda::find_program(command.program.front());
  cuda::check_executable(program);
  settings.platform = fs::absolute(platform_file(settings.platform)).string();
  if (settings.folder.empty()) settings.folder = (fs::path("out") / program.filename()).string();
  settings.folder = fs::absolute(settings.folder).lexically_normal().string();
  settings.name = program.filename().string();
  settings.plugins = command.plugins.files();
  for (std::string& plugin : settings.plugins) plugin = fs::absolute(plugin).string();
  cuda::ConfiguredPlatform platform = cuda::load_platform(settings);
  for (const std::string& path : foreign_defaults(platform.configuration, platform.parameters.gpu))
    platform.configuration.mark_foreign(path);
  check_limits({settings.most_cycles, 0}, platform.machine());
  warn(foreign_warnings(platform.configuration));
  use_libraries();
  set_environment(cuda::settings_variable, cuda::to_text(settings));
  std::vector<char*> arguments;
  for (std::string& word : command.program) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  ::execv(program.c_str(), arguments.data());
  throw InputError({program.string()}, fmt::format("cannot be started: {}", strerror(errno)));
}

}  // namespace

void add_exec(CLI::App& app, Command& chosen) {
  CLI::App* command = app.add_subcommand("exec", "Run a CUDA program on a simulated GPU");
  const auto options = std::make_shared<ExecCommand>();
  cuda::Settings& settings = options->settings;
  settings.platform = "turing.yaml";
  settings.threads = host_cores();
  command->add_option("--platform", settings.platform, "YAML file with `gpu:`, or the name of a shipped one")
      ->capture_default_str()
      ->type_name("FILE");
  add_set_option(*command, settings.overrides);
  add_plugin_option(*command, options->plugins);
  command->add_option("--out", settings.folder, "Folder of the report; out/<program> if not given")
      ->check(output_place())
      ->type_name("DIR");
  command->add_flag("--force", settings.force,
                    "Replace files that no earlier report wrote, and write into a folder with other files");
  command->add_flag("--quiet", settings.quiet, "Print nothing in addition to what the program prints, but errors");
  command->add_flag_callback(
      "--profile", [&settings] { settings.overrides.emplace_back("profile=true"); },
      "Count by instruction, for `reconverge profile`; the same as --set profile=true");
  command
      ->add_option_function<std::uint64_t>(
          "--interval",
          [&settings](const std::uint64_t& cycles) {
            settings.overrides.push_back(fmt::format("timeline={} cycles", cycles));
          },
          "Record a timeline with intervals of this many cycles; the same as --set timeline='N cycles'")
      ->check(CLI::Range(1, 1'000'000'000))
      ->type_name("CYCLES");
  command->add_option("--source-root", settings.source_root, "Folder of source files that a profile may quote")
      ->check(CLI::ExistingDirectory)
      ->type_name("DIR");
  command
      ->add_option("--threads", settings.threads,
                   "Threads of the simulation, with the same results; all cores if "
                   "not given")
      ->check(CLI::Range(1, 256))
      ->type_name("N");
  command->add_option("--max-cycles", settings.most_cycles, "Stop after this many simulated cycles of all kernels")
      ->check(CLI::Range(1.0, 1e18))
      ->type_name("CYCLES");
  command->footer(
      "PROGRAM ARGUMENTS follow the options: a program of `reconverge build`, or of nvcc with -cudart shared.\n"
      "Examples:\n"
      "  reconverge exec ./vector_sum 1000000\n"
      "  reconverge exec --platform gtx780.yaml --set gpu.sm.scheme=mimd --out out/mimd ./vector_sum\n"
      "  reconverge exec --set machine=functional ./vector_sum");
  command->prefix_command();
  command->callback([options, command, &chosen] {
    options->program = command->remaining();
    if (options->program.empty()) throw CLI::RequiredError("PROGRAM");
    chosen = [options] { return exec(*options); };
  });
}

}  // namespace reconverge::cli
