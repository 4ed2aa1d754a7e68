// SPDX-License-Identifier: Apache-2.0
#include "platforms/cli/run/several_runs.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <map>
#include <string>
#include <utility>

#include "models/core/team.hpp"
#include "platforms/cli/execute.hpp"
#include "platforms/cli/interrupt.hpp"
#include "platforms/cli/print.hpp"
#include "platforms/cli/run/collected_json.hpp"
#include "platforms/cli/run/collected_notes.hpp"
#include "platforms/cli/run/comparison_table.hpp"
#include "platforms/cli/run/ending.hpp"
#include "platforms/cli/run/several_folders.hpp"
#include "platforms/cli/run/side_by_side.hpp"
#include "platforms/report/output_folder.hpp"

namespace reconverge::cli {

namespace {

namespace fs = std::filesystem;

class SeveralRuns {
 public:
  SeveralRuns(SeveralPlan plan, const SeveralRunsOptions& options, const PlannedWork& work)
      : quiet_(options.each.quiet || options.each.json),
        json_(options.each.json),
        chosen_(!options.columns.empty()),
        work_(work),
        plan_(std::move(plan)),
        codes_(plan_.runs.size(), ExitCode::interrupted),
        at_once_(std::min<std::size_t>(options.jobs.value_or(host_cores()), plan_.runs.size())),
        sink_(terminal_sink(options.each.quiet)),
        folders_(plan_, options.each.force) {
    for (CollectedRow& row : plan_.table.rows) row.status = "not run";
  }

  ExitCode run() {
    if (const ExitCode code = check(); code != ExitCode::success) return code;
    simulate();
    add_speedups(plan_.table);
    if (!quiet_) print(collected_text(plan_.table, chosen_) + notes_text(plan_));
    folders_.tables().write_alone({plan_.table_file().filename(), collected_csv(plan_.table)});
    if (plan_.is_comparison()) {
      const ComparisonTable comparison = compare(plan_.table, plan_.folder);
      if (!quiet_) print("\n" + comparison_text(comparison));
      folders_.tables().write_alone({plan_.comparison_file().filename(), comparison_csv(comparison)});
    }
    if (json_) print(collected_json(plan_, codes_));
    if (!quiet_) {
      print_formatted("\nReports in {}, this table in {}\n", plan_.folder.generic_string(),
                      plan_.table_file().generic_string());
    }
    return code();
  }

 private:
  /// Checks that need the programs, the scene and the platform. Shows the refusal that is first in run order, whichever
  /// is found first: the checks of earlier runs have been started by then and are awaited.
  ExitCode check() {
    ProgressLine line(sink_);
    std::map<std::size_t, Ending> refusals;
    std::size_t checked = 0;
    SideBySide checks;
    checks.enter = InterruptGuard::leave_to_parent;
    checks.at_once = at_once_;
    checks.work = [this](std::size_t task, const ProgressSink&) {
      const auto check = [&] {
        work_.check(task);
        return ExitCode::success;
      };
      return execute(check, plan_.runs[task].label);
    };
    checks.next = in_order(plan_.runs.size(), [&] { return refusals.empty() && !interrupt_.requested(); });
    checks.interrupted = [this] { return interrupt_.requested(); };
    // Any other failure of a check recurs in its run and is reported there.
    checks.ended = [&](Ending ending) {
      ++checked;
      const bool refused = ending.code == ExitCode::bad_input || ending.code == ExitCode::output_failed;
      if (ending.signal == 0 && refused) refusals.emplace(ending.task, std::move(ending));
    };
    checks.progress = [&](std::span<const TaskProgress>) {
      line.update([&](double /*elapsed*/) { return fmt::format("{} of {} runs checked", checked, plan_.runs.size()); });
    };
    run_side_by_side(checks);
    line.clear();
    if (interrupt_.requested()) return ExitCode::interrupted;
    if (refusals.empty()) return ExitCode::success;
    const Ending& first = refusals.begin()->second;
    if (first.errors != nullptr) copy(first.errors, stderr);
    return first.code;
  }

  void simulate() {
    ProgressLine line(sink_);
    SideBySide runs;
    runs.at_once = at_once_;
    runs.enter = InterruptGuard::leave_to_parent;
    runs.work = [this](std::size_t task, const ProgressSink& progress) {
      const RunDisplay display{sink_ ? progress : ProgressSink(), true, Tables::unsuccessful};
      return execute([&] { return work_.run(task, display); }, plan_.runs[task].label);
    };
    runs.next = in_order(plan_.runs.size(), [this] { return !interrupt_.requested(); });
    runs.interrupted = [this] { return interrupt_.requested(); };
    runs.progress = [&](std::span<const TaskProgress> running) {
      line.update([&](double /*elapsed*/) { return progress_text(running); });
    };
    runs.ended = [&](Ending ending) {
      line.clear();
      record(std::move(ending));
    };
    run_side_by_side(runs);
  }

  std::string progress_text(std::span<const TaskProgress> running) const {
    std::string text = fmt::format("{} of {} runs ended", ended_, plan_.runs.size());
    for (const TaskProgress& each : running) {
      text += fmt::format("; {}{}{}", plan_.runs[each.task].label, each.line.empty() ? "" : ": ", each.line);
    }
    return text;
  }

  void record(Ending ending) {
    ++ended_;
    // A run that was interrupted before it began counts as not started. It may receive Ctrl-C before this process does.
    if (!ends_preparation(ending.signal)) note(ending);
    // Shows the output of runs in their order, whichever ends first.
    outputs_[ending.task] = std::move(ending.output);
    while (!outputs_.empty() && outputs_.begin()->first == shown_) {
      const CapturedFile& output = outputs_.begin()->second;
      if (output != nullptr) {
        print_formatted("{}:\n", plan_.runs[shown_].label);
        copy(output, stdout);
        print("\n");
      }
      outputs_.erase(outputs_.begin());
      ++shown_;
    }
    std::fflush(stdout);  // finds out now whether standard output still has a reader
  }

  void note(const Ending& ending) {
    const PlannedRun& run = plan_.runs[ending.task];
    CollectedRow& row = plan_.table.rows[ending.task];
    row.status = status_of(ending, work_.foreign_codes);
    codes_[ending.task] = ending.signal == 0         ? ending.code
                          : ending.signal == SIGALRM ? ExitCode::limit_reached
                                                     : ExitCode::internal_error;
    if (ending.signal == 0 && has_report(ending.code, work_.foreign_codes) && is_new(run)) {
      read_figures(row, plan_.table.columns, fs::path(run.options.folder) / "report.csv");
      read_results(row, run.options.folder);
      read_notes(row, run.options.folder);
    }
    if (ending.errors != nullptr) copy(ending.errors, stderr);
    if (ending.signal == 0) return;
    const std::string how =
        ending.signal == SIGALRM ? "--max-seconds: the time was up before the first cycle" : row.status;
    complain(codes_[ending.task], fmt::format("{}: {}", run.label, how));
  }

  /// A program of a user that launches nothing leaves an earlier report where it is.
  bool is_new(const PlannedRun& run) const {
    std::error_code error;
    const auto written = fs::last_write_time(fs::path(run.options.folder) / "report.csv", error);
    return !work_.foreign_codes || (!error && written >= start_);
  }

  ExitCode code() const {
    if (std::find(codes_.begin(), codes_.end(), ExitCode::interrupted) != codes_.end()) return ExitCode::interrupted;
    const auto failed =
        std::find_if(codes_.begin(), codes_.end(), [](ExitCode code) { return code != ExitCode::success; });
    return failed == codes_.end() ? ExitCode::success : *failed;
  }

  bool quiet_;  ///< no text output
  bool json_;
  bool chosen_;  ///< whether the user chose the table's columns
  const PlannedWork& work_;
  fs::file_time_type start_ = fs::file_time_type::clock::now();
  SeveralPlan plan_;
  std::vector<ExitCode> codes_;  ///< of the runs; `interrupted` for runs that did not start
  std::size_t at_once_;
  ProgressSink sink_;
  InterruptGuard interrupt_;  // before anything is written to disk
  SeveralFolders folders_;
  std::size_t ended_ = 0;
  std::size_t shown_ = 0;                        ///< number of runs whose output has been shown
  std::map<std::size_t, CapturedFile> outputs_;  ///< of runs that ended before an earlier run did
};

ExitCode dump(const SeveralPlan& plan) {
  std::string_view separator;
  for (const PlannedRun& run : plan.runs) {
    print_formatted("{}# {}\n{}", separator, run.label,
                    configuration::dump(load_experiment(run.options.experiment).configuration));
    separator = "---\n";
  }
  return ExitCode::success;
}

}  // namespace

ExitCode run_planned(SeveralPlan plan, const SeveralRunsOptions& options, const PlannedWork& work) {
  return SeveralRuns(std::move(plan), options, work).run();
}

ExitCode run_several(const SeveralRunsOptions& options) {
  SeveralPlan plan = plan_several(options);
  if (options.dump_config) return dump(plan);
  const std::vector<PlannedRun> runs = plan.runs;
  const PlannedWork work{[&](std::size_t run) { check_run(runs[run].options); },
                         [&](std::size_t run, const RunDisplay& display) {
                           const RunOptions& chosen = runs[run].options;
                           return options.resume ? run_unless_done(chosen, display) : run_experiment(chosen, display);
                         }};
  return run_planned(std::move(plan), options, work);
}

}  // namespace reconverge::cli
