#include <fmt/format.h>
#include <unistd.h>

#include <memory>

#include "models/core/simulation_context.hpp"
#include "platforms/cli/commands.hpp"
#include "platforms/cli/interrupt.hpp"
#include "platforms/cli/print.hpp"
#include "platforms/cli/progress.hpp"
#include "platforms/report/documents.hpp"

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
      line.update(progress);
      return !interrupt.requested();
    });
  } catch (const ParameterError& error) {
    throw placed(error, configuration);
  }
}

ExitCode judge(const report::RunReport& report) {
  if (report.partial()) return ExitCode::interrupted;
  return report.checks().ok() ? ExitCode::success : ExitCode::check_failed;
}

ExitCode run(const RunOptions& options) {
  ExperimentParameters parameters;
  const configuration::Configuration configuration = load_experiment(options.experiment, parameters);
  if (options.dump_config) {
    print(configuration::dump(configuration));
    return ExitCode::success;
  }
  const report::Provenance provenance =
      report::provenance(options.experiment.file, options.experiment.overrides, configuration, parameters);
  const InterruptGuard interrupt;  // before the first trace on the disk
  report::OutputFolder folder(options.folder.empty() ? "out/" + parameters.name : options.folder, report::file_names(),
                              options.force);
  const RayTracingResult result =
      simulate(parameters, configuration, interrupt, !options.quiet && isatty(STDERR_FILENO) == 1);
  const report::RunReport report(parameters, result);
  // The table first, and all of it: it must not be lost with a disk that is full.
  if (!options.quiet) print(report::table(report));
  folder.write(report::documents(report, configuration, provenance, folder.path()));
  if (!options.quiet) print_formatted("\nReport in {}\n", folder.path().generic_string());
  return judge(report);
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
      "  reconverge run yaml/experiments/conference.yaml --set workload.width=64 --set workload.height=48\n"
      "  reconverge run yaml/experiments/conference.yaml --set gpu.sm.scheme=mimd --out out/mimd\n"
      "  reconverge run yaml/experiments/conference.yaml --dump-config >effective.yaml\n"
      "Ctrl-C stops the run and writes what there is, marked partial; a second Ctrl-C ends the program at once.");
  command->callback([options, &chosen] { chosen = [options] { return run(*options); }; });
}

}  // namespace reconverge::cli
