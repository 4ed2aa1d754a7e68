#include "platforms/cli/single_run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "models/core/simulation_context.hpp"
#include "models/twin/lock_step_difference.hpp"
#include "platforms/cli/commands.hpp"
#include "platforms/cli/execute.hpp"
#include "platforms/cli/interrupt.hpp"
#include "platforms/cli/print.hpp"
#include "platforms/cli/rehearsal.hpp"
#include "platforms/launch/make_machine.hpp"
#include "platforms/launch/run_plan.hpp"
#include "platforms/report/documents.hpp"
#include "platforms/report/launch_report.hpp"

namespace reconverge::cli {

namespace {

template <typename Progress>
std::string text_of(const Progress& progress, double elapsed, const RunDisplay& display) {
  return display.brief ? brief_text(progress) : progress_text(progress, elapsed);
}

RayTracingResult simulate(const ExperimentParameters& parameters, const configuration::Configuration& configuration,
                          const InterruptGuard& interrupt, const RunDisplay& display, SchemeList schemes,
                          const PrepareMachine& prepare) {
  SimulationContext context;
  ProgressLine line(display.progress);
  try {
    return run_ray_tracing(
        parameters,
        [&](const RunProgress& progress) {
          line.update([&](double elapsed) { return text_of(progress, elapsed, display); });
          return !interrupt.requested();
        },
        schemes, prepare);
  } catch (const ParameterError& error) {
    throw placed(error, configuration);
  }
}

/// What kernels print, on standard output: each line behind the name of its launch.
class KernelOutput {
 public:
  explicit KernelOutput(ProgressLine& line) : line_(line) {}
  ~KernelOutput() { end_line(); }
  KernelOutput(const KernelOutput&) = delete;
  KernelOutput& operator=(const KernelOutput&) = delete;

  void add(std::string_view launch, std::string_view text) {
    line_.clear();
    if (launch != launch_) end_line();
    launch_ = launch;
    while (!text.empty()) {
      if (!in_line_) print_formatted("[{}] ", launch_);
      const std::size_t end = std::min(text.find('\n'), text.size() - 1) + 1;
      print(text.substr(0, end));
      in_line_ = text[end - 1] != '\n';
      text.remove_prefix(end);
    }
  }

 private:
  void end_line() {
    if (in_line_) print("\n");
    in_line_ = false;
  }

  ProgressLine& line_;
  std::string launch_;
  bool in_line_ = false;
};

launch::PlanResult simulate(const launch::LaunchPlan& plan, const ExperimentParameters& parameters,
                            const configuration::Configuration& configuration, const InterruptGuard& interrupt,
                            const RunDisplay& display, bool quiet, SchemeList schemes, const PrepareMachine& prepare) {
  ProgressLine line(display.progress);
  KernelOutput output(line);
  const auto keep_running = [&](const launch::PlanProgress& progress) {
    line.update([&](double elapsed) { return text_of(progress, elapsed, display); });
    return !interrupt.requested();
  };
  try {
    return launch::run_plan(
        plan, parameters.machine, parameters, keep_running,
        [&](std::string_view launch, std::string_view text) {
          if (!quiet) output.add(launch, text);
        },
        schemes, recording_of(parameters), prepare);
  } catch (const ParameterError& error) {
    throw placed(error, configuration);
  }
}

/// Files that decide the result, and that neither the configuration nor the workload names.
std::vector<std::string> with_plugins(const RunOptions& options, std::span<const std::string> inputs) {
  std::vector<std::string> all(inputs.begin(), inputs.end());
  const std::vector<std::string>& plugins = options.experiment.plugins.files();
  all.insert(all.end(), plugins.begin(), plugins.end());
  return all;
}

/// Beside the files of a report: what a lock step that ended at a difference leaves.
constexpr const char* waveform_name = "difference.vcd";

/// A run that has not begun: what it reads, where it writes.
class Run {
 public:
  /// `inputs`: files that the configuration alone does not name. `outputs`: all names that the report can have.
  Run(const RunOptions& options, const ExperimentParameters& parameters,
      const configuration::Configuration& configuration, std::span<const std::string> inputs,
      std::vector<std::string> outputs)
      : options_(options),
        configuration_(configuration),
        provenance_(report::provenance(options.experiment.file, options.experiment.overrides, configuration,
                                       with_plugins(options, inputs))),
        folder_(folder_of(options, parameters), with_earlier(folder_of(options, parameters), std::move(outputs)),
                options.force),
        recordings_(options.recordings) {}

  static std::string folder_of(const RunOptions& options, const ExperimentParameters& parameters) {
    return options.folder.empty() ? "out/" + parameters.name : options.folder;
  }

  /// Calls `simulate`. Where RTL differs from its model, there is no report, but a waveform.
  template <typename Simulate>
  auto simulated(const Simulate& simulate) {
    try {
      return simulate(interrupt_, recordings_.prepare());
    } catch (const LockStepDifference& difference) {
      const std::filesystem::path file = folder_.path() / waveform_name;
      report::write_file(file, difference.waveform());
      throw ExecutionError(fmt::format("{}; waveform in {}", difference.what(), file.generic_string()));
    }
  }

  /// Shows and writes what the run gave.
  template <typename Report>
  ExitCode finish(const Report& report, const RunDisplay& display) {
    const ExitCode code = report.partial()       ? ExitCode::interrupted
                          : report.checks().ok() ? ExitCode::success
                                                 : ExitCode::check_failed;
    const bool shown = !options_.quiet && (display.tables == Tables::all || code != ExitCode::success);
    // The table first, and all of it: it must not be lost with a disk that is full.
    if (shown) print(report::table(report));
    folder_.write(report::documents(report, configuration_, provenance_, folder_.path()));
    recordings_.write();
    if (shown) print_formatted("\nReport in {}\n", folder_.path().generic_string());
    return code;
  }

 private:
  /// The files of the report that lies there go, whatever it was about.
  static std::vector<std::string> with_earlier(const std::string& folder, std::vector<std::string> names) {
    const std::vector<std::string> earlier = report::earlier_outputs(folder);
    names.emplace_back(waveform_name);
    names.insert(names.begin(), earlier.begin(), earlier.end());
    return names;
  }

  const RunOptions& options_;
  const configuration::Configuration& configuration_;
  report::Provenance provenance_;
  InterruptGuard interrupt_;  // before the first trace on the disk
  report::OutputFolder folder_;
  Recordings recordings_;
};

ExitCode run_launches(const RunOptions& options, ExperimentParameters& parameters,
                      const configuration::Configuration& configuration, const RunDisplay& display) {
  if (parameters.stop_after != 0)
    throw ParameterError("stop_after", "it is for rays, and this experiment has launches", "leave it out");
  const launch::LaunchPlan plan = read_launches(options.experiment, parameters, configuration);
  Run run(options, parameters, configuration, plan.files, report::file_names(plan));
  warn(launch::warnings_of(plan, parameters.machine, parameters.gpu, options.experiment.plugins.schemes()));
  const launch::PlanResult result = run.simulated([&](const InterruptGuard& interrupt, const PrepareMachine& prepare) {
    return simulate(plan, parameters, configuration, interrupt, display, options.quiet,
                    options.experiment.plugins.schemes(), prepare);
  });
  return run.finish(report::LaunchReport(parameters, plan, result, options.experiment.plugins.schemes()), display);
}

ExitCode run_rays(const RunOptions& options, const ExperimentParameters& parameters,
                  const configuration::Configuration& configuration, const RunDisplay& display) {
  Run run(options, parameters, configuration, report::scene_files(parameters.workload), report::file_names());
  const RayTracingResult result = run.simulated([&](const InterruptGuard& interrupt, const PrepareMachine& prepare) {
    warn_of_programs(parameters, configuration, options.experiment.plugins.schemes());
    return simulate(parameters, configuration, interrupt, display, options.experiment.plugins.schemes(), prepare);
  });
  return run.finish(report::RunReport(parameters, result, options.experiment.plugins.schemes()), display);
}

/// A program that goes wrong does so in its run, too, and is then complained of once.
template <typename Rehearsal>
void pass_over_execution(Rehearsal&& rehearsal) {
  try {
    rehearsal();
  } catch (const ExecutionError&) {
    return;
  }
}

}  // namespace

ExitCode run_experiment(const RunOptions& options, const RunDisplay& display) {
  ExperimentParameters parameters;
  const configuration::Configuration configuration = load_experiment(options.experiment, parameters);
  return launch::has_launches(configuration) ? run_launches(options, parameters, configuration, display)
                                             : run_rays(options, parameters, configuration, display);
}

ExitCode run_unless_done(const RunOptions& options, const RunDisplay& display) {
  ExperimentParameters parameters;
  const configuration::Configuration configuration = load_experiment(options.experiment, parameters);
  const std::vector<std::string> inputs = launch::has_launches(configuration)
                                              ? read_launches(options.experiment, parameters, configuration).files
                                              : report::scene_files(parameters.workload);
  const std::string folder = Run::folder_of(options, parameters);
  const report::Provenance provenance = report::provenance(options.experiment.file, options.experiment.overrides,
                                                           configuration, with_plugins(options, inputs));
  if (!report::holds_report(folder, provenance)) return run_experiment(options, display);
  if (!options.quiet) print_formatted("the report of this run is in {} already\n", folder);
  return ExitCode::success;
}

void check_run(const RunOptions& options) {
  ExperimentParameters parameters;
  const configuration::Configuration configuration = load_experiment(options.experiment, parameters);
  if (launch::has_launches(configuration)) {
    const launch::LaunchPlan plan = read_launches(options.experiment, parameters, configuration);
    pass_over_execution([&] { rehearse(plan, parameters, configuration, options.experiment.plugins.schemes()); });
    const Run probe(options, parameters, configuration, plan.files, report::file_names(plan));
  } else {
    pass_over_execution([&] { rehearse(parameters, configuration, options.experiment.plugins.schemes()); });
    const Run probe(options, parameters, configuration, report::scene_files(parameters.workload), report::file_names());
  }
}

}  // namespace reconverge::cli
