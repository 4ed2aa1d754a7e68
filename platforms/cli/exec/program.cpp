// SPDX-License-Identifier: Apache-2.0
#include "platforms/cli/exec/program.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>

#include "models/core/error.hpp"
#include "models/core/host_error.hpp"
#include "platforms/cli/execute.hpp"
#include "platforms/cli/run/foreign_defaults.hpp"
#include "platforms/cuda/executable.hpp"
#include "platforms/host/installation.hpp"

namespace reconverge::cli {

namespace {

namespace fs = std::filesystem;

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

void make_absolute(std::string& path) {
  if (!path.empty()) path = fs::absolute(path).lexically_normal().string();
}

}  // namespace

cuda::Settings settings_of(const RunOptions& run, const std::string& program) {
  cuda::Settings settings;
  settings.platform = platform_file(run.experiment.file);
  settings.name = fs::path(program).filename().string();
  settings.overrides = run.experiment.overrides;
  settings.plugins = run.experiment.plugins.files();
  settings.folder = run.folder.empty() ? (fs::path("out") / settings.name).string() : run.folder;
  settings.source_roots = run.source_roots;
  settings.force = run.force;
  settings.quiet = run.quiet;
  settings.threads = run.threads;
  settings.most_cycles = run.limits.cycles;
  settings.most_seconds = run.limits.seconds;
  settings.recordings = run.recordings;
  for (std::string* path : {&settings.platform, &settings.folder, &settings.recordings.wave, &settings.recordings.trace,
                            &settings.recordings.log})
    make_absolute(*path);
  for (std::string& plugin : settings.plugins) make_absolute(plugin);
  for (std::string& root : settings.source_roots) make_absolute(root);
  return settings;
}

cuda::ConfiguredPlatform check_settings(const cuda::Settings& settings, const RunLimits& limits) {
  cuda::ConfiguredPlatform platform = cuda::load_platform(settings);
  for (const std::string& path : foreign_defaults(platform.configuration, platform.parameters.gpu))
    platform.configuration.mark_foreign(path);
  check_limits(limits, platform.machine());
  warn(foreign_warnings(platform.configuration));
  const trace::Recordings places(settings.recordings, settings.force);
  return platform;
}

void start_program(const cuda::Settings& settings, std::vector<std::string> command) {
  const fs::path program = cuda::find_program(command.front());
  cuda::check_executable(program);
  use_libraries();
  set_environment(cuda::settings_variable, cuda::to_text(settings));
  std::vector<char*> arguments;
  arguments.reserve(command.size() + 1);
  for (std::string& word : command) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  ::execv(program.c_str(), arguments.data());
  throw InputError({program.string()}, fmt::format("cannot be started: {}", strerror(errno)));
}

}  // namespace reconverge::cli
