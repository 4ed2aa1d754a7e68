// SPDX-License-Identifier: Apache-2.0
// reconverge_contract: tests a divergence scheme, of this tree or of a plugin, against the scalar interpreter.

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "models/core/error.hpp"
#include "platforms/machines/gpu/schemes.hpp"
#include "platforms/plugins/plugins.hpp"
#include "testbenches/contract/agreement.hpp"
#include "testbenches/contract/kernels.hpp"
#include "testbenches/contract/spawning_programs.hpp"
#include "testbenches/contract/suite.hpp"
#include "testbenches/random/alone.hpp"

namespace reconverge {
namespace {

struct Options {
  std::vector<std::string> plugins;
  std::string scheme;
  std::uint64_t random = 0;
  std::uint64_t first = 1;
  std::filesystem::path folder;  // for the PTX of failures; none: it is not stored
};

class Contract {
 public:
  Contract(const Options& options, const Plugins& plugins)
      : options_(options), name_(options.scheme), schemes_{{&name_, 1}, plugins.kinds().schemes} {}

  void run_cases() {
    for (const contract::Case& test_case : contract::cases()) {
      const contract::Outcome expected = contract::run_scalar(test_case);
      for (const contract::Shape& shape : contract::shapes()) {
        const auto breaches = contract::breaches(test_case, expected, shape, name_, schemes_.kinds);
        note(breaches.empty());
        for (const std::string& breach : breaches) print(fmt::format("{} ({})", test_case.name, shape.name), breach);
        if (!breaches.empty()) keep(test_case.name, test_case.ptx);
      }
    }
  }

  void run_programs() {
    for (std::uint64_t seed = options_.first; seed - options_.first < options_.random; ++seed) {
      const random_programs::Program program = random_programs::generate(seed);
      if (name_ == "dynamic_microkernel") run_spawning(seed);
      random_programs::Reached ignored;
      const auto failure = random_programs::check(program, ignored, {}, schemes_);
      note(!failure);
      if (!failure) continue;
      print(fmt::format("seed {} on {}", seed, failure->machine), fmt::format("{}: {}", failure->what, failure->text));
      if (options_.folder.empty()) continue;
      keep(fmt::format("seed {}", seed),
           random_programs::text_of(random_programs::smallest(program, *failure, {}, schemes_)));
    }
  }

  int finish() const {
    fmt::print("{} passed, {} failed\n", passed_, failed_);
    return failed_ == 0 ? 0 : 1;
  }

 private:
  // The program of that seed, reduced to what independent threads can do, as micro-kernels.
  void run_spawning(std::uint64_t seed) {
    const auto program = random_programs::without_company(random_programs::generate(seed));
    const contract::Case original = random_programs::case_of(program);
    const auto ways = random_programs::spawning_ways();
    const auto shapes = contract::shapes();
    const auto made = random_programs::spawning_case(program, original, ways[seed % ways.size()]);
    if (!made) return;
    const contract::Shape& shape = shapes[(seed + seed / shapes.size()) % shapes.size()];
    std::uint64_t threads = 0;
    const auto breaches = random_programs::breaches_of_spawning(*made, contract::run_scalar(original, 2'000'000),
                                                                random_programs::parameters_of(*made, shape), threads);
    note(breaches.empty());
    for (const std::string& breach : breaches)
      print(fmt::format("micro-kernels of seed {} ({})", seed, shape.name), breach);
    if (!breaches.empty()) keep(fmt::format("microkernels {}", seed), made->test_case.ptx);
  }

  void note(bool passed) { ++(passed ? passed_ : failed_); }

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

  const Options& options_;
  std::string_view name_;
  random_programs::Schemes schemes_;
  std::uint64_t passed_ = 0;
  std::uint64_t failed_ = 0;
};

/// Throws InputError for an unknown scheme.
void check_scheme(const std::string& name, SchemeList kinds) {
  SmParameters parameters;
  parameters.scheme = {name};
  schemes_of(parameters, kinds);
}

int run(const Options& options) try {
  const Plugins plugins(options.plugins);
  check_scheme(options.scheme, plugins.kinds().schemes);
  Contract contract(options, plugins);
  contract.run_cases();
  contract.run_programs();
  return contract.finish();
} catch (const InputError& error) {
  fmt::print(stderr, "reconverge_contract: error: {}\n", error.what());
  return 2;
}

}  // namespace
}  // namespace reconverge

int main(int argc, char** argv) {
  setenv("SYSTEMC_DISABLE_COPYRIGHT_MESSAGE", "DISABLE", 1);
  CLI::App app(
      "Runs the kernels of the contract suite, in every shape of the GPU, and random programs on a divergence scheme, "
      "and compares with an interpreter that runs one thread after the other: memory, executed instructions, books of "
      "issue slots. Prints a line for each failure, and at last `N passed, N failed`.",
      "reconverge_contract");
  app.footer("Exit codes: 0 the scheme keeps the contract, 1 it does not, 2 bad input.");
  reconverge::Options options;
  app.add_option("--plugin", options.plugins, "a shared library with schemes; may be given several times")
      ->allow_extra_args(false);
  app.add_option("--scheme", options.scheme, "as gpu.sm.scheme names it")->required();
  app.add_option("--random", options.random, "random programs, too: how many")->capture_default_str();
  app.add_option("--first", options.first, "the seed of the first")->capture_default_str();
  app.add_option("--folder", options.folder, "writes the PTX of kernels that fail there, random ones made small");
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return error.get_exit_code() == 0 ? app.exit(error) : (app.exit(error), 2);
  }
  return reconverge::run(options);
}

// SystemC's library has its own main, which calls this; the program's main replaces it.
extern "C" int sc_main(int /*argc*/, char** /*argv*/) { return 0; }
