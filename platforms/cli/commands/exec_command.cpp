// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <memory>

#include "models/core/error.hpp"
#include "models/core/team.hpp"
#include "platforms/cli/commands/commands.hpp"
#include "platforms/cli/exec/program.hpp"
#include "platforms/cli/output_place.hpp"

namespace reconverge::cli {

namespace {

ExitCode exec(ProgramRuns runs) {
  SeveralRunsOptions& options = runs.options;
  const bool single = options.sweeps.empty();
  if (single && !options.columns.empty()) {
    throw InputError({"--columns " + options.columns}, "there is one run, and no table of several",
                     "its report has all figures");
  }
  if (!single && options.each.recordings.any()) {
    throw InputError({}, "--wave, --trace and --log show one run, and these are several", "leave --sweep out");
  }
  options.each.threads = options.threads.value_or(single ? host_cores() : 1);
  if (!single) return sweep_program(runs);
  const cuda::Settings settings = settings_of(options.each, runs.command.front());
  check_settings(settings, options.each.limits);
  start_program(settings, std::move(runs.command));
}

void add_report_options(CLI::App& command, RunOptions& each) {
  std::vector<std::string>& overrides = each.experiment.overrides;
  command.add_option("--out", each.folder, "Folder of the report; out/<program> if not given; with --sweep, of all")
      ->check(output_place())
      ->type_name("DIR");
  command.add_flag("--force", each.force,
                   "Replace files that no earlier report wrote, and write into a folder with other files");
  command.add_flag("--quiet", each.quiet, "Print nothing in addition to what the program prints, but errors");
  command.add_flag_callback(
      "--profile", [&overrides] { overrides.emplace_back("profile=true"); },
      "Count by instruction, for `reconverge profile`; the same as --set profile=true");
  command
      .add_option_function<std::uint64_t>(
          "--interval",
          [&overrides](const std::uint64_t& cycles) { overrides.push_back(fmt::format("timeline={} cycles", cycles)); },
          "Record a timeline with intervals of this many cycles; the same as --set timeline='N cycles'")
      ->check(CLI::Range(1, 1'000'000'000))
      ->type_name("CYCLES");
  command
      .add_option("--source-root", each.source_roots,
                  "Folder of source files that a profile may quote; can be repeated")
      ->allow_extra_args(false)
      ->check(CLI::ExistingDirectory)
      ->type_name("DIR");
}

void add_sweep_options(CLI::App& command, SeveralRunsOptions& options) {
  add_sweep_option(command, options.sweeps);
  command
      .add_option("--columns", options.columns,
                  "Figures in the table of a sweep, with commas between; reconverge list figures shows all")
      ->type_name("FIGURE,FIGURE");
  add_jobs_option(command, options.jobs, "Runs of a sweep at a time");
  command
      .add_option("--threads", options.threads,
                  "Threads of each simulation, with the same results; all cores for one run, one each with --sweep, if "
                  "not given")
      ->check(CLI::Range(1, 256))
      ->type_name("N");
}

}  // namespace

void add_exec(CLI::App& app, Command& chosen) {
  CLI::App* command = app.add_subcommand("exec", "Run a CUDA program on a simulated GPU");
  const auto runs = std::make_shared<ProgramRuns>();
  RunOptions& each = runs->options.each;
  each.experiment.file = "turing.yaml";
  command->add_option("--platform", each.experiment.file, "YAML file with `gpu:`, or the name of a shipped one")
      ->capture_default_str()
      ->type_name("PLATFORM");
  add_set_option(*command, each.experiment.overrides);
  add_plugin_option(*command, each.experiment.plugins);
  add_report_options(*command, each);
  add_sweep_options(*command, runs->options);
  add_limit_options(*command, each.limits);
  add_recorded_files(*command, each.recordings);
  command->footer(
      "PROGRAM ARGUMENTS follow the options: a program of `reconverge build`, or of nvcc with -cudart shared.\n"
      "Examples:\n"
      "  reconverge exec ./vector_sum 1000000\n"
      "  reconverge exec --platform gtx780.yaml --set gpu.sm.scheme=mimd --out out/mimd ./vector_sum\n"
      "  reconverge exec --set machine=functional ./vector_sum\n"
      "  reconverge exec --sweep gpu.sm.scheme=reconvergence_stack,convergence_barrier ./vector_sum\n"
      "  reconverge exec --trace vector_sum.pftrace ./vector_sum");
  command->prefix_command();
  command->callback([runs, command, &chosen] {
    runs->command = command->remaining();
    if (runs->command.empty()) throw CLI::RequiredError("PROGRAM");
    chosen = [runs] { return exec(*runs); };
  });
}

}  // namespace reconverge::cli
