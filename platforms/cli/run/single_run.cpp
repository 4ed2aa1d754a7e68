// SPDX-License-Identifier: Apache-2.0
#include "platforms/cli/run/single_run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <boost/json/parse.hpp>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "models/core/digest.hpp"
#include "models/core/input_file.hpp"
#include "models/cosim/twin/lock_step_difference.hpp"
#include "platforms/cli/execute.hpp"
#include "platforms/cli/interrupt.hpp"
#include "platforms/cli/print.hpp"
#include "platforms/cli/run/experiment.hpp"
#include "platforms/cli/run/foreign_defaults.hpp"
#include "platforms/cli/run/task.hpp"
#include "platforms/configuration/json_text.hpp"
#include "platforms/report/documents.hpp"
#include "platforms/report/own_files.hpp"

namespace reconverge::cli {

namespace {

using TextSink = std::function<void(std::string_view text)>;

/// Where the output of kernels is printed. With --json, standard output is for the document only.
TextSink kernel_sink(const RunOptions& options) {
  if (options.quiet) return {};
  return options.json ? print_beside : print;
}

/// Prints the output of kernels, each line after the name of its launch.
class KernelOutput {
 public:
  KernelOutput(ProgressLine& line, TextSink out) : line_(line), out_(std::move(out)) {}
  ~KernelOutput() { end_line(); }
  KernelOutput(const KernelOutput&) = delete;
  KernelOutput& operator=(const KernelOutput&) = delete;

  void add(std::string_view launch, std::string_view text) {
    if (!out_) return;
    line_.clear();
    if (launch != launch_) end_line();
    launch_ = launch;
    while (!text.empty()) {
      if (!in_line_) out_(fmt::format("[{}] ", launch_));
      const std::size_t end = std::min(text.find('\n'), text.size() - 1) + 1;
      out_(text.substr(0, end));
      in_line_ = text[end - 1] != '\n';
      text.remove_prefix(end);
    }
  }

 private:
  void end_line() {
    if (in_line_) out_("\n");
    in_line_ = false;
  }

  ProgressLine& line_;
  TextSink out_;
  std::string launch_;
  bool in_line_ = false;
};

/// `inputs`: files that the configuration does not name.
report::Provenance provenance_of(const Experiment& experiment, std::vector<std::string> inputs) {
  const std::vector<std::string>& plugins = experiment.from.plugins.files();
  inputs.insert(inputs.end(), plugins.begin(), plugins.end());
  return report::provenance(experiment.from.file, experiment.from.overrides, experiment.configuration, inputs);
}

/// Additional file of the report's folder: the waveform of a lock-step run that ended at a difference.
constexpr const char* waveform_name = "difference.vcd";

/// A run that has not begun: its inputs and its output paths.
class Run {
 public:
  Run(const RunOptions& options, const Experiment& experiment, LimitWatch& limits, const Task& task)
      : options_(options),
        experiment_(experiment),
        limits_(limits),
        provenance_(provenance_of(experiment, task.inputs())),
        folder_(folder_of(options, experiment)),
        recordings_(options.recordings, options.force) {
    preparation_.emplace(interrupt_, folder_.made());
    std::vector<std::string> outputs = task.outputs();
    outputs.emplace_back(waveform_name);
    folder_.claim(std::move(outputs), options.force);
    if (options.checkpoint.any()) open_checkpoint();
  }

  static std::string folder_of(const RunOptions& options, const Experiment& experiment) {
    return options.folder.empty() ? "out/" + experiment.parameters.name : options.folder;
  }

  /// Runs the task and shows its progress. If RTL differs from its model, writes a waveform instead of a report.
  std::unique_ptr<report::Outcome> simulate(Task& task, const RunDisplay& display) {
    ProgressLine line(display.progress);
    KernelOutput output(line, kernel_sink(options_));
    const KeepRunning keep_running = [&](const RunProgress& progress) {
      end_preparation();  // before the progress line appears
      const bool goes_on = !interrupt_.requested() && !limits_.time_is_up();
      line.update(
          [&](double elapsed) { return display.brief ? brief_text(progress) : progress_text(progress, elapsed); });
      return goes_on;
    };
    const PrintPart print = [&](std::string_view part, std::string_view text) { output.add(part, text); };
    const auto prepare = [this, record = recordings_.prepare()](Machine& machine) {
      machine.use_threads(options_.threads);
      if (record) record(machine);
    };
    try {
      RunControl control{experiment_.kinds(), keep_running, limits_.most_cycles(), prepare};
      if (checkpoint_) {
        control.run_launch = [this](launch::Session& session, const Launch& launch, const KeepGoing& keep_going) {
          return checkpoint_->run(session, launch, keep_going);
        };
      }
      control.print = print;
      return task.run(control);
    } catch (const ParameterError& error) {
      throw placed(error, experiment_.configuration);
    } catch (const LockStepDifference& difference) {
      end_preparation();
      folder_.write_alone({waveform_name, report::sealed(difference.waveform())});
      throw ExecutionError(fmt::format("{}; waveform in {}{}", difference.what(),
                                       (folder_.path() / waveform_name).generic_string(), log_of_error()));
    } catch (const ExecutionError& error) {
      const std::string log = log_of_error();
      if (log.empty()) throw;
      throw ExecutionError(error.what() + log);
    }
  }

  /// Prints and writes the results of the run.
  ExitCode finish(const report::Outcome& outcome, const RunDisplay& display) {
    const report::RunReport report(
        outcome, experiment_.kinds(),
        report::place_of(options_.experiment.file, {options_.source_roots.begin(), options_.source_roots.end()}));
    end_preparation();
    const ExitCode stopped = interrupt_.requested() ? ExitCode::interrupted : ExitCode::limit_reached;
    const ExitCode code = report.partial() ? stopped : report.ok() ? ExitCode::success : ExitCode::check_failed;
    const bool shown = !options_.quiet && (display.tables == Tables::all || code != ExitCode::success);
    // Prints the whole table first: a full disk must not lose it.
    if (shown) print(options_.json ? report::json_report(report) : report::table(report));
    const std::vector<report::OutputFile> files =
        report::documents(report, experiment_.configuration, provenance_, folder_.path());
    folder_.write(files);
    warn(report.warnings());
    if (shown && !options_.json) {
      if (checkpoint_ && checkpoint_->restored() != 0) {
        print_formatted("\nThe first {} launches were restored from {}\n", checkpoint_->restored(),
                        options_.checkpoint.from);
      }
      print_formatted("\nReport in {}\n", folder_.path().generic_string());
    }
    try {
      recordings_.write(std::ranges::find(files, "report.json", &report::OutputFile::name)->bytes);
    } catch (const report::OutputError& error) {
      // The exit code of the run itself takes precedence.
      return complain(code == ExitCode::success ? ExitCode::output_failed : code, error.what());
    }
    return code;
  }

 private:
  void open_checkpoint() {
    if (experiment_.parameters.sample.every > 1) {
      throw InputError({}, "--checkpoint and --from store complete launches, and sample.every is given",
                       "leave one of the two out");
    }
    // The layout of a stored state is that of one build.
    const std::string program = sha256_of_file("/proc/self/exe");
    boost::json::object run = boost::json::parse(report::identity(provenance_)).as_object();
    run["program"].as_object()["sha256"] = program;
    checkpoint_.emplace(options_.checkpoint,
                        Checkpoint::Run{configuration::pretty(run), limits_.most_cycles(), options_.force});
  }

  /// Writes the log of a run that failed, and returns an addition to the error message.
  std::string log_of_error() {
    const std::string log = recordings_.write_log_of_error();
    return log.empty() ? log : "; " + log;
  }

  /// From now on there is something to report. The limit goes first: it would not remove the folders once they are
  /// forgotten.
  void end_preparation() {
    limits_.end_preparation();
    preparation_.reset();
  }

  const RunOptions& options_;
  const Experiment& experiment_;
  LimitWatch& limits_;
  report::Provenance provenance_;
  InterruptGuard interrupt_;  // before anything is written to disk
  report::OutputFolder folder_;
  std::optional<Preparation> preparation_;
  trace::Recordings recordings_;
  std::optional<Checkpoint> checkpoint_;
};

ExitCode print_file(const std::filesystem::path& file) {
  print(read_input(file, input::report));
  return ExitCode::success;
}

}  // namespace

ExitCode run_experiment(const RunOptions& options, const RunDisplay& display) {
  LimitWatch limits(options.limits);
  const Experiment experiment = load_experiment(options.experiment);
  check_limits(options.limits, experiment.machine());
  warn(foreign_warnings(experiment.configuration));
  const std::unique_ptr<Task> task = task_of(experiment);
  Run run(options, experiment, limits, *task);
  warn(task->warnings());
  return run.finish(*run.simulate(*task, display), display);
}

ExitCode run_unless_done(const RunOptions& options, const RunDisplay& display) {
  const Experiment experiment = load_experiment(options.experiment);
  const std::string folder = Run::folder_of(options, experiment);
  if (!report::holds_report(folder, provenance_of(experiment, task_of(experiment)->inputs())))
    return run_experiment(options, display);
  if (options.quiet) return ExitCode::success;
  if (options.json) return print_file(std::filesystem::path(folder) / "report.json");
  print_formatted("the report of this run is in {} already\n", folder);
  return ExitCode::success;
}

void check_run(const RunOptions& options) {
  const Experiment experiment = load_experiment(options.experiment);
  check_limits(options.limits, experiment.machine());
  LimitWatch limits({});  // they belong to the run
  const std::unique_ptr<Task> task = task_of(experiment);
  try {
    task->rehearse();
  } catch (const ExecutionError&) {
    // A program that fails here fails in its run, too, and is reported there.
  }
  const Run probe(options, experiment, limits, *task);
}

}  // namespace reconverge::cli
