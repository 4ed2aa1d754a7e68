// SPDX-License-Identifier: Apache-2.0
#include "platforms/embedding/experiment_sweep.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <optional>
#include <string>
#include <system_error>
#include <utility>

#include "models/core/host_error.hpp"
#include "models/core/team.hpp"
#include "platforms/cli/run/side_by_side.hpp"
#include "platforms/embedding/kernel_source.hpp"
#include "platforms/embedding/question_board.hpp"
#include "platforms/embedding/run_record.hpp"
#include "platforms/embedding/turn.hpp"

namespace reconverge::embedding {

namespace {

using cli::CapturedFile;
using cli::Ending;
using cli::TaskProgress;

/// After which a host that has a signal to handle does so.
constexpr std::chrono::milliseconds longest_wait(100);

/// Ctrl-C in a terminal reaches all processes; the host decides about it, and kills the others. A handler of the host
/// would only delay the end.
void take_no_signals() {
  std::signal(SIGINT, SIG_IGN);
  std::signal(SIGTERM, SIG_DFL);
}

void stop_if_interrupted(const SweepRuns& runs) {
  if (runs.interrupted && runs.interrupted()) throw Interrupted("the sweep was stopped");
}

class ParallelSweep {
 public:
  ParallelSweep(std::span<const EmbeddedExperiment* const> experiments, const SweepRuns& runs)
      : experiments_(experiments),
        runs_(runs),
        results_(experiments.size()),
        seen_(experiments.size()),
        reports_(experiments.size()),
        board_(experiments.size()) {}

  std::vector<ExperimentReport> run(std::size_t jobs) {
    // No other thread simulates while a process is forked: its copy of the lock would stay closed.
    const Turn turn;
    cli::SideBySide plan;
    plan.at_once = jobs;
    plan.next = [this] { return next(); };
    plan.enter = take_no_signals;
    plan.work = [this](std::size_t run, const cli::ProgressSink& tell) { return work(run, tell); };
    plan.interrupted = [] { return false; };
    plan.ended = [this](const Ending& ending) { end(ending); };
    plan.progress = [this](std::span<const TaskProgress> running) { answer(running); };
    plan.wake = longest_wait;
    try {
      cli::run_side_by_side(plan);
    } catch (const std::system_error& error) {
      throw HostError(error.what());
    }
    std::vector<ExperimentReport> reports;
    for (std::optional<ExperimentReport>& report : reports_) reports.push_back(std::move(report).value());
    return reports;
  }

 private:
  std::optional<std::size_t> next() {
    if (failure_ || next_ == experiments_.size()) return std::nullopt;
    results_[next_] = CapturedFile(std::tmpfile());
    if (results_[next_] == nullptr) throw HostError(fmt::format("no temporary file: {}", std::strerror(errno)));
    return next_++;
  }

  /// In the process of the run, which takes no turn: its thread is not the one that holds the lock.
  cli::ExitCode work(std::size_t run, const cli::ProgressSink& tell) {
    ExperimentRun wanted = runs_.each;
    std::size_t questions = 0;
    if (wanted.keep_running) {
      wanted.keep_running = [&](const RunProgress& progress) {
        std::string line = fmt::format("{} {}", ++questions, progress.part);
        std::ranges::replace(line, '\n', ' ');
        return board_.ask(run, progress, [&] { tell(line); });
      };
    }
    RunEnd end;
    try {
      end = experiments_[run]->run_in_turn(wanted);
    } catch (...) {
      end = failure_of_current_exception();
    }
    write_run(end, results_[run].get());
    return cli::ExitCode::success;
  }

  void answer(std::span<const TaskProgress> running) {
    stop_if_interrupted(runs_);
    for (const TaskProgress& task : running) {
      if (task.line == seen_[task.task]) continue;
      seen_[task.task] = task.line;
      RunProgress progress = board_.question(task.task);
      progress.part = std::string_view(task.line).substr(task.line.find(' ') + 1);
      board_.answer(task.task, runs_.each.keep_running(progress));
      stop_if_interrupted(runs_);
    }
  }

  void end(const Ending& ending) {
    if (ending.output != nullptr) cli::copy(ending.output, stdout);
    if (ending.errors != nullptr) cli::copy(ending.errors, stderr);
    const CapturedFile file = std::exchange(results_[ending.task], nullptr);
    RunEnd result = end_of(ending, file.get());
    if (auto* const report = std::get_if<ExperimentReport>(&result)) {
      reports_[ending.task] = std::move(*report);
    } else if (!failure_ || ending.task < failure_->first) {
      failure_.emplace(ending.task, std::get<HostFailure>(std::move(result)));
    }
    if (!failure_) return;
    const auto before = std::span(reports_).first(failure_->first);
    if (std::ranges::all_of(before, [](const auto& report) { return report.has_value(); }))
      throw ForeignFailure(std::move(failure_->second));
  }

  static RunEnd end_of(const Ending& ending, std::FILE* file) {
    if (ending.signal == 0 && ending.code == cli::ExitCode::success) {
      std::rewind(file);
      return read_run(file);
    }
    const std::string how =
        ending.signal != 0 ? fmt::format("by signal {}", strsignal(ending.signal)) : "without a result";
    return HostFailure{HostFailure::Kind::internal,
                       fmt::format("the process of run {} of the sweep ended {}", ending.task + 1, how),
                       {},
                       {}};
  }

  std::span<const EmbeddedExperiment* const> experiments_;
  const SweepRuns& runs_;
  std::size_t next_ = 0;
  std::vector<CapturedFile> results_;  ///< of running ones
  std::vector<std::string> seen_;      ///< the last line of each
  std::vector<std::optional<ExperimentReport>> reports_;
  QuestionBoard board_;
  std::optional<std::pair<std::size_t, HostFailure>> failure_;  ///< of the first experiment that failed
};

}  // namespace

std::vector<ExperimentReport> run_sweep(std::span<const EmbeddedExperiment* const> experiments, const SweepRuns& runs) {
  const std::size_t jobs = std::min(runs.jobs == 0 ? host_cores() : runs.jobs, experiments.size());
  if (jobs > 1) return ParallelSweep(experiments, runs).run(jobs);
  std::vector<ExperimentReport> reports;
  for (const EmbeddedExperiment* experiment : experiments) {
    reports.push_back(experiment->run(runs.each));
    stop_if_interrupted(runs);
  }
  return reports;
}

}  // namespace reconverge::embedding
