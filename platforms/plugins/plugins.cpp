// SPDX-License-Identifier: Apache-2.0
#include "platforms/plugins/plugins.hpp"

#include <dlfcn.h>
#include <elf.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <link.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <exception>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "models/core/error.hpp"
#include "models/core/host_error.hpp"
#include "models/core/input_file.hpp"
#include "platforms/machines/gpu/schemes.hpp"
#include "platforms/plugin.hpp"

namespace reconverge {

namespace {

constexpr const char* symbol = "reconverge_plugin";

/// dlopen would search the system's folders for a name without a folder.
std::string with_folder(const std::string& file) { return file.find('/') == std::string::npos ? "./" + file : file; }

std::shared_ptr<void> open_library(const std::string& file) {
  void* const library = dlopen(with_folder(file).c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) {
    throw InputError({file}, fmt::format("the plugin cannot be loaded: {}", dlerror()),
                     "name a shared library that was built against the installed package");
  }
  return {library, [](void* handle) { dlclose(handle); }};
}

/// Size in bytes of the variable at `address`, as declared by the library; zero for anything else, such as a function.
std::size_t bytes_of_variable(const void* address) {
  Dl_info info{};
  void* entry = nullptr;
  if (dladdr1(address, &info, &entry, RTLD_DL_SYMENT) == 0 || entry == nullptr) return 0;
  const auto& declared = *static_cast<const ElfW(Sym)*>(entry);
  return ELF64_ST_TYPE(declared.st_info) == STT_OBJECT ? declared.st_size : 0;
}

const Plugin& plugin_of(void* library, const std::string& file) {
  const void* const address = dlsym(library, symbol);
  if (address == nullptr) {
    throw InputError({file}, fmt::format("the library has no {}", symbol), "see examples/dual_path");
  }
  const InputError no_plugin({file}, fmt::format("{} is no reconverge::Plugin of one version and schemes", symbol),
                             "see examples/dual_path");
  // Nothing but the version may be read before it is checked.
  const std::size_t bytes = bytes_of_variable(address);
  const auto& plugin = *static_cast<const Plugin*>(address);
  if (bytes < sizeof plugin.version || plugin.version == nullptr) throw no_plugin;
  constexpr std::size_t longest_version = 64;
  const std::string_view version(plugin.version, strnlen(plugin.version, longest_version));
  if (version != interface_version) {
    throw InputError({file}, fmt::format("the plugin is for version {}, and this is {}", version, interface_version),
                     "build it against the installed package of this program");
  }
  if (bytes != sizeof plugin || plugin.schemes == nullptr) throw no_plugin;
  return plugin;
}

std::span<const SchemeKind* const> ask_for_schemes(const Plugin& plugin, const std::string& file) {
  const auto fails = [&file](std::string_view how) {
    return InputError({file}, fmt::format("the plugin's schemes() throws {}", how), "correct it; nothing was loaded");
  };
  try {
    return plugin.schemes();
  } catch (const std::exception& error) {
    throw fails(fmt::format("an exception: {}", error.what()));
  } catch (...) {
    throw fails("what is no std::exception");
  }
}

/// Adds the schemes of the plugin to `kinds`; returns the handle that keeps the plugin loaded.
std::shared_ptr<void> load_plugin(const std::string& file, std::vector<const SchemeKind*>& kinds) {
  std::shared_ptr<void> library = open_library(file);
  for (const SchemeKind* kind : ask_for_schemes(plugin_of(library.get(), file), file)) {
    if (kind == nullptr || kind->part.block == nullptr || kind->part.name.empty() || kind->make == nullptr) {
      throw InputError({file}, "the plugin has a scheme without name, block or `make`", "see examples/dual_path");
    }
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
  return library;
}

/// Loads the plugin in a forked copy of this process, and throws InputError if that ends the copy: the file is
/// truncated, or the library's own code fails before it can be queried.
void try_out(const std::string& file, std::vector<const SchemeKind*> kinds) {
  constexpr int came_through = 87;
  constexpr unsigned most_seconds = 60;
  const pid_t copy = fork();
  if (copy < 0) throw HostError(fmt::format("no process can be started: {}", std::strerror(errno)));
  if (copy == 0) {
    alarm(most_seconds);
    const rlimit no_core_file{0, 0};
    setrlimit(RLIMIT_CORE, &no_core_file);
    const int nowhere = open("/dev/null", O_RDWR | O_CLOEXEC);
    for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) dup2(nowhere, stream);
    try {
      load_plugin(file, kinds);
    } catch (...) {  // reported when this process does the same
    }
    _exit(came_through);
  }
  int status = 0;
  while (waitpid(copy, &status, 0) < 0) {
    if (errno != EINTR) return;  // SIGCHLD is ignored here, so the copy's exit status is lost
  }
  if (WIFEXITED(status) && WEXITSTATUS(status) == came_through) return;
  const std::string how = !WIFSIGNALED(status)          ? fmt::format("with exit code {}", WEXITSTATUS(status))
                          : WTERMSIG(status) == SIGALRM ? fmt::format("no sooner than {} s", most_seconds)
                                                        : fmt::format("by signal {}", strsignal(WTERMSIG(status)));
  throw InputError({file}, fmt::format("the plugin cannot be loaded: loading it ends the program {}", how),
                   "the file is cut off, or code of the library fails when it is loaded");
}

}  // namespace

Plugins::Plugins(const std::vector<std::string>& files) : files_(files) {
  std::vector<const SchemeKind*> kinds(built_in_schemes().begin(), built_in_schemes().end());
  for (const std::string& file : files) {
    check_input(file, input::plugin);
    try_out(file, kinds);
    libraries_.push_back(load_plugin(file, kinds));
  }
  kinds_ = std::make_shared<const std::vector<const SchemeKind*>>(std::move(kinds));
}

}  // namespace reconverge
