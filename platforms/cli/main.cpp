/// The program `reconverge`: parses the command line and runs the command.

#include <fmt/format.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <exception>

#include "models/core/error.hpp"
#include "platforms/cli/commands.hpp"
#include "platforms/cli/execute.hpp"
#include "platforms/report/build_info.hpp"

namespace reconverge::cli {

namespace {

constexpr const char* exit_codes =
    "Exit codes: 0 success, 1 the run finished but a check failed (hits, picture, a buffer or issue slots), 2 bad "
    "input,\n"
    "3 the simulated program failed, 4 a result could not be written, 5 internal error, 130 interrupted with a\n"
    "partial report.";

ExitCode complain_of_usage(const CLI::App& app, const CLI::ParseError& error) {
  std::string help = "reconverge";
  for (auto chosen = app.get_subcommands(); !chosen.empty(); chosen = chosen.front()->get_subcommands()) {
    help += ' ' + chosen.front()->get_name();
  }
  return complain(ExitCode::bad_input, fmt::format("{}; see {} --help", error.what(), help));
}

ExitCode parse_and_execute(int argc, char** argv) {
  CLI::App app("Executable specification of SIMT divergence hardware: platform, kernel and workload in, cycles out.",
               "reconverge");
  app.set_version_flag("--version", fmt::format("reconverge {}", report::build_info().version));
  app.require_subcommand(1);
  app.footer(fmt::format("{}\n`reconverge COMMAND --help` shows options and examples.", exit_codes));
  Command chosen;
  add_run(app, chosen);
  add_validate(app, chosen);
  add_inspect(app, chosen);
  add_profile(app, chosen);
  add_rays(app, chosen);
  add_scene_stats(app, chosen);
  add_list(app, chosen);
  add_schema(app, chosen);
  add_vectors(app, chosen);
  add_transform(app, chosen);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() != 0) return complain_of_usage(app, error);
    app.exit(error);
    return flush_output(ExitCode::success);
  } catch (const InputError& error) {
    return execute([&error]() -> ExitCode { throw error; });  // of a plugin, which is loaded when it is read
  }
  return execute(chosen);
}

}  // namespace

}  // namespace reconverge::cli

// SystemC's library has a main of its own that calls this; the program's main takes its place.
extern "C" int sc_main(int /*argc*/, char** /*argv*/) { return EXIT_SUCCESS; }

int main(int argc, char** argv) {
  // Standard output holds results and nothing else.
  setenv("SYSTEMC_DISABLE_COPYRIGHT_MESSAGE", "DISABLE", 1);
  // A limit on the size of files is an error of write() like any other.
  std::signal(SIGXFSZ, SIG_IGN);
  try {
    return static_cast<int>(reconverge::cli::parse_and_execute(argc, argv));
  } catch (const std::exception& error) {
    std::fprintf(stderr, "reconverge: error: internal error: %s\n", error.what());
    return static_cast<int>(reconverge::cli::ExitCode::internal_error);
  }
}
