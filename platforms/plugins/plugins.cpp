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
#include "platforms/launch/keys.hpp"
#include "platforms/plugin.hpp"

namespace reconverge {

namespace {

constexpr const char* symbol = "reconverge_plugin";
constexpr const char* see_examples = "see examples/dual_path and examples/ideal_mimd";

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
    throw InputError({file}, fmt::format("the library has no {}", symbol), see_examples);
  }
  const InputError no_plugin(
      {file}, fmt::format("{} is no reconverge::Plugin of one version with schemes or machines", symbol), see_examples);
  // Only the version may be read before it is checked.
  const std::size_t bytes = bytes_of_variable(address);
  const auto& plugin = *static_cast<const Plugin*>(address);
  if (bytes < sizeof plugin.version || plugin.version == nullptr) throw no_plugin;
  constexpr std::size_t longest_version = 64;
  const std::string_view version(plugin.version, strnlen(plugin.version, longest_version));
  if (version != interface_version) {
    throw InputError({file}, fmt::format("the plugin is for version {}, and this is {}", version, interface_version),
                     "build it against the installed package of this program");
  }
  if (bytes != sizeof plugin || (plugin.schemes == nullptr && plugin.machines == nullptr)) throw no_plugin;
  return plugin;
}

/// The result of the plugin's function `name`; empty if it is null.
template <typename Kind>
std::span<const Kind* const> ask(std::span<const Kind* const> (*function)(), std::string_view name,
                                 const std::string& file) {
  const auto fails = [&](std::string_view how) {
    return InputError({file}, fmt::format("the plugin's {}() throws {}", name, how), "correct it; nothing was loaded");
  };
  if (function == nullptr) return {};
  try {
    return function();
  } catch (const std::exception& error) {
    throw fails(fmt::format("an exception: {}", error.what()));
  } catch (...) {
    throw fails("what is no std::exception");
  }
}

/// The kinds that are known while a plugin is loaded.
struct Known {
  std::vector<const SchemeKind*>& schemes;
  std::vector<const MachineKind*>& machines;
};

/// An addition of a plugin: `scheme` or `machine`, with its name.
struct Added {
  std::string_view what;
  std::string_view name;
};

/// Throws InputError unless the name is new among `names`.
void check_name(const Added& added, std::span<const std::string_view> names, const std::string& file) {
  const auto is_plain = [](char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_'; };
  if (!std::ranges::all_of(added.name, is_plain)) {
    throw InputError({file}, fmt::format("the {} '{}' is not snake_case", added.what, added.name), "rename it");
  }
  if (std::ranges::find(names, added.name) != names.end()) {
    throw InputError({file}, fmt::format("there is a {} {} already", added.what, added.name), "load one of them");
  }
}

/// Throws InputError if the block's own parts, its parameters or `others` have the key that the new part would have.
void check_key(const Added& added, const BlockDescription& block, std::span<const std::string_view> others,
               const std::string& file) {
  const bool is_taken =
      std::ranges::find(block.parameters, added.name, &ParameterDescription::name) != block.parameters.end() ||
      std::ranges::find(block.children, added.name, &ChildDescription::name) != block.children.end() ||
      std::ranges::find(others, added.name) != others.end();
  if (!is_taken) return;
  throw InputError({file}, fmt::format("{} has a key {}, which the {} would need", block.name, added.name, added.what),
                   "rename the block");
}

void add_scheme(const SchemeKind* kind, const Known& known, const std::string& file) {
  if (kind == nullptr || kind->part.block == nullptr || kind->part.name.empty() || kind->make == nullptr) {
    throw InputError({file}, "the plugin has a scheme without name, block or `make`", see_examples);
  }
  const Added added{"scheme", kind->part.name};
  check_name(added, scheme_parts(known.schemes).names, file);
  check_key(added, sm_block, {}, file);
  known.schemes.push_back(kind);
  if (const std::string problem = problem_of_causes(known.schemes); !problem.empty()) {
    throw InputError({file}, fmt::format("the scheme {} cannot be added: {}", kind->part.name, problem),
                     "change `causes` in its block file");
  }
}

/// The keys of an experiment's file that are no keys of its block, or that other machines have.
std::vector<std::string_view> keys_of_experiment(const std::vector<const MachineKind*>& machines) {
  std::vector<std::string_view> keys{"extends"};
  for (const configuration::SectionKey& section : launch::section_keys()) keys.push_back(section.name);
  for (const ChildDescription& part : machine_parts(machines).parts) keys.push_back(part.name);
  return keys;
}

bool is_complete(const MachineKind& kind) {
  if (kind.name.empty() || kind.make == nullptr || kind.describe == nullptr || kind.facts == nullptr) return false;
  return kind.part.block == nullptr || (!kind.part.name.empty() && kind.part.member != nullptr);
}

bool has_time(const MachineKind& kind) {
  return kind.zeros != nullptr && kind.rate != nullptr && kind.cycles != nullptr && kind.executed != nullptr &&
         kind.add_figures != nullptr && kind.details != nullptr;
}

void add_machine(const MachineKind* kind, const Known& known, const std::string& file) {
  if (kind == nullptr || !is_complete(*kind)) {
    throw InputError(
        {file},
        "the plugin has a machine without name, `make`, `describe` or `facts`, or its block without name or "
        "member",
        see_examples);
  }
  if (kind->traits.timed && !has_time(*kind)) {
    throw InputError({file},
                     fmt::format("the machine {} has time without `zeros`, `rate`, `cycles`, `executed`, `add_figures` "
                                 "or `details`",
                                 kind->name),
                     "define them, or set its trait `timed` to false");
  }
  check_name({"machine", kind->name}, machine_parts(known.machines).names, file);
  if (kind->part.block != nullptr) {
    check_key({"machine", kind->part.name}, experiment_block, keys_of_experiment(known.machines), file);
  }
  known.machines.push_back(kind);
}

/// Adds what the plugin has to `known`; returns the handle that keeps the plugin loaded.
std::shared_ptr<void> load_plugin(const std::string& file, const Known& known) {
  std::shared_ptr<void> library = open_library(file);
  const Plugin& plugin = plugin_of(library.get(), file);
  for (const SchemeKind* kind : ask(plugin.schemes, "schemes", file)) add_scheme(kind, known, file);
  for (const MachineKind* kind : ask(plugin.machines, "machines", file)) add_machine(kind, known, file);
  return library;
}

/// Loads the plugin in a forked copy of this process, and throws InputError if that ends the copy: the file is
/// truncated, or the library's own code fails before it can be queried.
void try_out(const std::string& file, std::vector<const SchemeKind*> schemes,
             std::vector<const MachineKind*> machines) {
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
      load_plugin(file, {schemes, machines});
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
  const Kinds built_in;
  Loaded loaded{{built_in.schemes.begin(), built_in.schemes.end()},
                {built_in.machines.begin(), built_in.machines.end()}};
  for (const std::string& file : files) {
    check_input(file, input::plugin);
    try_out(file, loaded.schemes, loaded.machines);
    libraries_.push_back(load_plugin(file, {loaded.schemes, loaded.machines}));
  }
  kinds_ = std::make_shared<const Loaded>(std::move(loaded));
}

}  // namespace reconverge
