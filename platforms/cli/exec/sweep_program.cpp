// SPDX-License-Identifier: Apache-2.0
#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <filesystem>
#include <utility>

#include "platforms/cli/exec/program.hpp"
#include "platforms/cli/run/several_runs.hpp"
#include "platforms/cuda/executable.hpp"

namespace reconverge::cli {

namespace {

namespace fs = std::filesystem;

std::uint64_t clock_hz_of(const cuda::ConfiguredPlatform& platform) {
  const MachineKind& machine = platform.machine();
  return machine.traits.timed ? machine.rate(platform.parameters).clock_hz : 0;
}

/// A run for each combination, and its row of the table.
SeveralPlan plan_of(const ProgramRuns& runs) {
  const SeveralRunsOptions& options = runs.options;
  const std::string name = fs::path(runs.command.front()).filename().string();
  SeveralPlan plan;
  plan.folder = options.each.folder.empty() ? fmt::format("out/{}-sweep", name) : options.each.folder;
  plan.table.columns = read_columns(options.columns, options.kinds());
  plan.table.axes = read_sweep(options.sweeps, options.each.experiment.overrides, options.kinds());
  const std::vector<SweepAxis>& axes = plan.table.axes;
  for (const Combination& combination : combinations_of(axes)) {
    PlannedRun run{options.each, label_of(axes, combination)};
    for (std::string& each : overrides_of(axes, combination))
      run.options.experiment.overrides.push_back(std::move(each));
    CollectedRow& row = plan.table.rows.emplace_back();
    row.folder = folder_of(axes, combination);
    run.options.folder = (plan.folder / row.folder).generic_string();
    run.options.quiet = true;  // its figures are in the table
    row.experiment = name;
    row.work = fmt::format("{}", fmt::join(runs.command, "\n"));
    row.clock_hz = clock_hz_of(cuda::load_platform(settings_of(run.options, name)));
    for (std::size_t i = 0; i < axes.size(); ++i) row.settings.push_back(axes[i].canonical[combination[i]]);
    plan.runs.push_back(std::move(run));
  }
  if (options.columns.empty()) add_times(plan.table);
  return plan;
}

/// Closes standard input: otherwise the programs would share the input of the terminal.
void close_input() {
  const int none = ::open("/dev/null", O_RDONLY | O_CLOEXEC);
  if (none >= 0) ::dup2(none, STDIN_FILENO);
}

}  // namespace

ExitCode sweep_program(const ProgramRuns& runs) {
  cuda::check_executable(cuda::find_program(runs.command.front()));
  SeveralPlan plan = plan_of(runs);
  std::vector<cuda::Settings> settings;
  for (const PlannedRun& run : plan.runs) settings.push_back(settings_of(run.options, runs.command.front()));
  PlannedWork work;
  work.check = [&](std::size_t run) { check_settings(settings[run], runs.options.each.limits); };
  work.run = [&](std::size_t run, const RunDisplay&) -> ExitCode {
    close_input();
    start_program(settings[run], runs.command);
  };
  work.foreign_codes = true;
  return run_planned(std::move(plan), runs.options, work);
}

}  // namespace reconverge::cli
