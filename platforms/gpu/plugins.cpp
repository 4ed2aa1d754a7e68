#include "platforms/gpu/plugins.hpp"

#include <dlfcn.h>
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <string_view>

#include "models/core/error.hpp"
#include "models/core/input_file.hpp"
#include "models/protocols/plugin.hpp"

namespace reconverge {

namespace {

constexpr const char* symbol = "reconverge_plugin";

std::shared_ptr<void> open_library(const std::string& file) {
  check_input(file, input::plugin);
  // A bare name would be looked for in the system's folders.
  void* const library = dlopen(std::filesystem::absolute(file).c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) {
    throw InputError({file}, fmt::format("the plugin cannot be loaded: {}", dlerror()),
                     "name a shared library that was built against the installed package");
  }
  return {library, [](void* handle) { dlclose(handle); }};
}

const Plugin& plugin_of(void* library, const std::string& file) {
  const auto* const plugin = static_cast<const Plugin*>(dlsym(library, symbol));
  if (plugin == nullptr) {
    throw InputError({file}, fmt::format("the library has no {}", symbol), "see examples/dual_path");
  }
  // Nothing but the version may be looked at before.
  if (std::string_view(plugin->version) != interface_version) {
    throw InputError({file},
                     fmt::format("the plugin is for version {}, and this is {}", plugin->version, interface_version),
                     "build it against the installed package of this program");
  }
  return *plugin;
}

}  // namespace

Plugins::Plugins(const std::vector<std::string>& files) : files_(files) {
  std::vector<const SchemeKind*> kinds(built_in_schemes().begin(), built_in_schemes().end());
  for (const std::string& file : files) {
    libraries_.push_back(open_library(file));
    for (const SchemeKind* kind : plugin_of(libraries_.back().get(), file).schemes()) {
      const auto same = [kind](const SchemeKind* other) { return other->part.name == kind->part.name; };
      if (std::ranges::any_of(kinds, same)) {
        throw InputError({file}, fmt::format("there is a scheme {} already", kind->part.name), "load one of them");
      }
      kinds.push_back(kind);
      if (const std::string problem = problem_of_causes(kinds); !problem.empty()) {
        throw InputError({file}, fmt::format("the scheme {} cannot be added: {}", kind->part.name, problem),
                         "change `causes` in its block file");
      }
    }
  }
  kinds_ = std::make_shared<const std::vector<const SchemeKind*>>(std::move(kinds));
}

}  // namespace reconverge
