// SPDX-License-Identifier: Apache-2.0
// reconverge_contract: tests a divergence scheme or a machine, of this tree or of a plugin, against the scalar
// interpreter.

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "interface_version.hpp"
#include "models/core/error.hpp"
#include "platforms/cli/description/man_page.hpp"
#include "platforms/machines/gpu/schemes.hpp"
#include "platforms/machines/machines.hpp"
#include "platforms/plugins/plugins.hpp"
#include "testbenches/contract/agreement.hpp"
#include "testbenches/contract/kernels.hpp"
#include "testbenches/contract/spawning_programs.hpp"
#include "testbenches/contract/suite.hpp"
#include "testbenches/random/alone.hpp"

namespace reconverge {
namespace {

// The step limit of the interpreter for a random program.
constexpr std::uint64_t most_steps = 2'000'000;

struct Options {
  std::vector<std::string> plugins;
  std::string scheme;  // or
  std::string machine;
  std::uint64_t random = 0;
  std::uint64_t first = 1;
  std::filesystem::path folder;  // for the PTX of failures; empty: it is not stored
};

/// What passed, and what did not.
class Record {
 public:
  explicit Record(const Options& options) : options_(options) {}

  void note(bool passed) { ++(passed ? passed_ : failed_); }
  void note_refused() { ++refused_; }

  static void print(const std::string& what, std::string text) {
    while (!text.empty() && text.back() == '\n') text.pop_back();
    std::ranges::replace(text, '\n', ' ');
    fmt::print("{}: {}\n", what, text);
    std::fflush(stdout);
  }

  void keep(std::string name, const std::string& ptx) const {
    if (options_.folder.empty()) return;
    std::filesystem::create_directories(options_.folder);
    std::ranges::replace_if(
        name, [](char c) { return std::isalnum(static_cast<unsigned char>(c)) == 0; }, '_');
    const std::filesystem::path file = options_.folder / (name + ".ptx");
    std::ofstream stream(file);
    stream << ptx;
    stream.close();
    if (!stream) throw InputError({file.generic_string()}, "the file cannot be written", "check the folder");
  }

  /// The violations in one run of the kernel. `where`: the machine on which it ran; may be empty.
  void add(const contract::Case& test_case, std::string_view where, const std::vector<std::string>& breaches) {
    note(breaches.empty());
    const std::string name = where.empty() ? test_case.name : fmt::format("{} ({})", test_case.name, where);
    for (const std::string& breach : breaches) print(name, breach);
    if (!breaches.empty()) keep(test_case.name, test_case.ptx);
  }

  int finish() const {
    const std::string refused = refused_ == 0 ? "" : fmt::format(", {} refused", refused_);
    fmt::print("{} passed, {} failed{}\n", passed_, failed_, refused);
    return failed_ == 0 && passed_ != 0 ? 0 : 1;
  }

 private:
  const Options& options_;
  std::uint64_t passed_ = 0;
  std::uint64_t failed_ = 0;
  std::uint64_t refused_ = 0;
};

/// A machine may refuse a kernel, as a machine without barriers does.
class MachineContract {
 public:
  MachineContract(const Options& options, Kinds kinds)
      : options_(options), machine_(find_machine(options.machine, kinds.machines)), schemes_(kinds.schemes) {}

  int run() {
    for (const contract::Case& test_case : contract::cases()) check(test_case, contract::run_scalar(test_case));
    for (std::uint64_t seed = options_.first; seed - options_.first < options_.random; ++seed) {
      const random_programs::Program program = random_programs::generate(seed);
      contract::Case test_case = random_programs::case_of(program);
      test_case.ptx = random_programs::text_of(program);
      check(test_case, contract::run_scalar(test_case, most_steps));
    }
    return record_.finish();
  }

 private:
  void check(const contract::Case& test_case, const contract::Outcome& expected) {
    try {
      record_.add(test_case, {}, contract::breaches(test_case, expected, machine_, schemes_));
    } catch (const InputError&) {
      record_.note_refused();
    }
  }

  const Options& options_;
  const MachineKind& machine_;
  SchemeList schemes_;
  Record record_{options_};
};

class SchemeContract {
 public:
  SchemeContract(const Options& options, SchemeList kinds)
      : options_(options), name_(options.scheme), schemes_{{&name_, 1}, kinds} {}

  int run() {
    run_cases();
    run_programs();
    return record_.finish();
  }

 private:
  void run_cases() {
    for (const contract::Case& test_case : contract::cases()) {
      const contract::Outcome expected = contract::run_scalar(test_case);
      for (const contract::Shape& shape : contract::shapes()) {
        record_.add(test_case, shape.name, contract::breaches(test_case, expected, shape, name_, schemes_.kinds));
      }
    }
  }

  void run_programs() {
    for (std::uint64_t seed = options_.first; seed - options_.first < options_.random; ++seed) {
      const random_programs::Program program = random_programs::generate(seed);
      if (name_ == "dynamic_microkernel") run_spawning(seed);
      random_programs::Reached ignored;
      const auto failure = random_programs::check(program, ignored, {}, schemes_);
      record_.note(!failure);
      if (!failure) continue;
      Record::print(fmt::format("seed {} on {}", seed, failure->machine),
                    fmt::format("{}: {}", failure->what, failure->text));
      if (options_.folder.empty()) continue;
      record_.keep(fmt::format("seed {}", seed),
                   random_programs::text_of(random_programs::smallest(program, *failure, {}, schemes_)));
    }
  }

  // The program of that seed, reduced to operations of independent threads, as micro-kernels.
  void run_spawning(std::uint64_t seed) {
    const auto program = random_programs::without_company(random_programs::generate(seed));
    const contract::Case original = random_programs::case_of(program);
    const auto ways = random_programs::spawning_ways();
    const auto shapes = contract::shapes();
    auto made = random_programs::spawning_case(program, original, ways[seed % ways.size()]);
    if (!made) return;
    const contract::Shape& shape = shapes[(seed + seed / shapes.size()) % shapes.size()];
    std::uint64_t threads = 0;
    const auto breaches = random_programs::breaches_of_spawning(*made, contract::run_scalar(original, most_steps),
                                                                random_programs::parameters_of(*made, shape), threads);
    made->test_case.name = fmt::format("micro-kernels of seed {}", seed);
    record_.add(made->test_case, shape.name, breaches);
  }

  const Options& options_;
  std::string_view name_;
  random_programs::Schemes schemes_;
  Record record_{options_};
};

/// Throws InputError for an unknown scheme.
void check_scheme(const std::string& name, SchemeList kinds) {
  SmParameters parameters;
  parameters.scheme = {name};
  schemes_of(parameters, kinds);
}

int run(const Options& options) try {
  const Plugins plugins(options.plugins);
  if (!options.machine.empty()) return MachineContract(options, plugins.kinds()).run();
  check_scheme(options.scheme, plugins.kinds().schemes);
  return SchemeContract(options, plugins.kinds().schemes).run();
} catch (const InputError& error) {
  fmt::print(stderr, "reconverge_contract: error: {}\n", error.what());
  return 2;
}

[[noreturn]] void write_man_pages(const CLI::App& app, const std::filesystem::path& folder) {
  const std::string version = fmt::format("Reconverge {}", interface_version);
  for (const cli::ManPage& page : cli::man_pages(cli::describe(app), {RECONVERGE_RELEASE_DATE, version})) {
    std::ofstream(folder / page.file) << page.text;
  }
  throw CLI::Success();  // Nothing else is to be done.
}

}  // namespace
}  // namespace reconverge

int main(int argc, char** argv) {
  setenv("SYSTEMC_DISABLE_COPYRIGHT_MESSAGE", "DISABLE", 1);
  CLI::App app("Test a divergence scheme or a machine against the scalar interpreter", "reconverge_contract");
  app.footer(
      "Runs the kernels of the contract suite and random programs on a scheme, in every shape of the GPU, or on a "
      "machine,\n"
      "and compares with an interpreter that runs one thread after the other: memory, and with a scheme executed\n"
      "instructions and issue slots.\n"
      "Prints a line for each failure, and at last `N passed, N failed`; a machine may refuse kernels.\n"
      "Example:\n"
      "  reconverge_contract --plugin build/libdual_path.so --scheme dual_path --random 2000\n"
      "Exit codes: 0 the contract is kept, 1 it is not, 2 bad input.");
  reconverge::Options options;
  app.add_option("--plugin", options.plugins, "Shared library with schemes or machines; can be repeated")
      ->allow_extra_args(false)
      ->type_name("FILE");
  CLI::App* const subject = app.add_option_group("subject")->require_option(1);
  subject->add_option("--scheme", options.scheme, "Scheme, as gpu.sm.scheme names it")->type_name("NAME");
  subject->add_option("--machine", options.machine, "Machine, as the key machine of an experiment names it")
      ->type_name("NAME");
  app.add_option("--random", options.random, "Number of random programs")->capture_default_str()->type_name("N");
  app.add_option("--first", options.first, "Seed of the first of them")->capture_default_str()->type_name("N");
  app.add_option("--folder", options.folder, "Folder for the PTX of kernels that fail, random ones made small")
      ->type_name("DIR");
  app.add_option_function<std::string>(
         "--man-pages", [&app](const std::string& folder) { reconverge::write_man_pages(app, folder); },
         "For the build: write the man page to this folder")
      ->group("");
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return error.get_exit_code() == 0 ? app.exit(error) : (app.exit(error), 2);
  }
  return reconverge::run(options);
}

// SystemC's library has its own main, which calls this; the program's main replaces it.
extern "C" int sc_main(int /*argc*/, char** /*argv*/) { return 0; }
