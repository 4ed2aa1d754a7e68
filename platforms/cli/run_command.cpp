#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <memory>
#include <string>

#include "models/core/simulation_context.hpp"
#include "platforms/cli/commands.hpp"
#include "platforms/cli/interrupt.hpp"
#include "platforms/cli/print.hpp"
#include "platforms/cli/progress.hpp"
#include "platforms/launch/run_plan.hpp"
#include "platforms/report/documents.hpp"
#include "platforms/report/launch_report.hpp"

namespace reconverge::cli {

namespace {

struct RunOptions {
  ExperimentFile experiment;
  std::string folder;
  bool force = false;
  bool dump_config = false;
  bool quiet = false;
};

RayTracingResult simulate(const ExperimentParameters& parameters, const configuration::Configuration& configuration,
                          const InterruptGuard& interrupt, bool show_progress) {
  SimulationContext context;
  ProgressLine line(show_progress);
  try {
    return run_ray_tracing(parameters, [&](const RunProgress& progress) {
      line.update([&](double elapsed) { return progress_text(progress, elapsed); });
      return !interrupt.requested();
    });
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
                            bool show_progress, bool quiet) {
  ProgressLine line(show_progress);
  KernelOutput output(line);
  const auto keep_running = [&](const launch::PlanProgress& progress) {
    line.update([&](double elapsed) { return progress_text(progress, elapsed); });
    return !interrupt.requested();
  };
  try {
    return launch::run_plan(plan, parameters.machine, parameters.gpu, keep_running,
                            [&](std::string_view launch, std::string_view text) {
                              if (!quiet) output.add(launch, text);
                            });
  } catch (const ParameterError& error) {
    throw placed(error, configuration);
  }
}

/// A run that has not begun: what it reads, where it writes.
class Run {
 public:
  /// `inputs`: files that the configuration alone does not name. `outputs`: all names that the report can have.
  Run(const RunOptions& options, const ExperimentParameters& parameters,
      const configuration::Configuration& configuration, std::span<const std::string> inputs,
      std::vector<std::string> outputs)
      : options_(options),
        configuration_(configuration),
        provenance_(report::provenance(options.experiment.file, options.experiment.overrides, configuration, inputs)),
        folder_(folder_of(options, parameters), with_earlier(folder_of(options, parameters), std::move(outputs)),
                options.force) {}

  bool shows_progress() const { return !options_.quiet && isatty(STDERR_FILENO) == 1; }
  const InterruptGuard& interrupt() const { return interrupt_; }

  /// Shows and writes what the run gave.
  template <typename Report>
  ExitCode finish(const Report& report) {
    // The table first, and all of it: it must not be lost with a disk that is full.
    if (!options_.quiet) print(report::table(report));
    folder_.write(report::documents(report, configuration_, provenance_, folder_.path()));
    if (!options_.quiet) print_formatted("\nReport in {}\n", folder_.path().generic_string());
    if (report.partial()) return ExitCode::interrupted;
    return report.checks().ok() ? ExitCode::success : ExitCode::check_failed;
  }

 private:
  static std::string folder_of(const RunOptions& options, const ExperimentParameters& parameters) {
    return options.folder.empty() ? "out/" + parameters.name : options.folder;
  }
  /// The files of the report that lies there go, whatever it was about.
  static std::vector<std::string> with_earlier(const std::string& folder, std::vector<std::string> names) {
    const std::vector<std::string> earlier = report::earlier_outputs(folder);
    names.insert(names.begin(), earlier.begin(), earlier.end());
    return names;
  }

  const RunOptions& options_;
  const configuration::Configuration& configuration_;
  report::Provenance provenance_;
  InterruptGuard interrupt_;  // before the first trace on the disk
  report::OutputFolder folder_;
};

ExitCode run_launches(const RunOptions& options, const ExperimentParameters& parameters,
                      const configuration::Configuration& configuration) {
  const launch::LaunchPlan plan = launch::read_plan(configuration, report::file_names());
  Run run(options, parameters, configuration, plan.files, report::file_names(plan));
  const launch::PlanResult result =
      simulate(plan, parameters, configuration, run.interrupt(), run.shows_progress(), options.quiet);
  return run.finish(report::LaunchReport(parameters, plan, result));
}

ExitCode run_rays(const RunOptions& options, const ExperimentParameters& parameters,
                  const configuration::Configuration& configuration) {
  Run run(options, parameters, configuration, report::scene_files(parameters.workload), report::file_names());
  const RayTracingResult result = simulate(parameters, configuration, run.interrupt(), run.shows_progress());
  return run.finish(report::RunReport(parameters, result));
}

ExitCode run(const RunOptions& options) {
  ExperimentParameters parameters;
  const configuration::Configuration configuration = load_experiment(options.experiment, parameters);
  if (options.dump_config) {
    print(configuration::dump(configuration));
    return ExitCode::success;
  }
  return launch::has_launches(configuration) ? run_launches(options, parameters, configuration)
                                             : run_rays(options, parameters, configuration);
}

}  // namespace

void add_run(CLI::App& app, Command& chosen) {
  CLI::App* command = app.add_subcommand("run", "Run an experiment and write its report");
  const auto options = std::make_shared<RunOptions>();
  add_experiment_options(*command, options->experiment);
  command->add_option("--out", options->folder, "Folder of the report; out/<name> if not given")->type_name("DIR");
  command->add_flag("--force", options->force, "Write into a folder that holds other files");
  command->add_flag("--dump-config", options->dump_config,
                    "Print every parameter with the origin of its value, and do not run. Load it from this folder");
  command->add_flag("--quiet", options->quiet, "Print nothing but errors");
  command->footer(
      "Examples:\n"
      "  reconverge run yaml/experiments/conference.yaml\n"
      "  reconverge run yaml/experiments/saxpy.yaml --set machine=functional\n"
      "  reconverge run yaml/experiments/conference.yaml --set workload.width=64 --set workload.height=48\n"
      "  reconverge run yaml/experiments/conference.yaml --set gpu.sm.scheme=mimd --out out/mimd\n"
      "  reconverge run yaml/experiments/conference.yaml --dump-config >effective.yaml\n"
      "Ctrl-C stops the run and writes what there is, marked partial; a second Ctrl-C ends the program at once.");
  command->callback([options, &chosen] { chosen = [options] { return run(*options); }; });
}

}  // namespace reconverge::cli
