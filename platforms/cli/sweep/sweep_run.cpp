// SPDX-License-Identifier: Apache-2.0
#include "platforms/cli/sweep/sweep_run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <boost/json/object.hpp>
#include <map>

#include "models/core/team.hpp"
#include "platforms/cli/print.hpp"
#include "platforms/configuration/json_text.hpp"
#include "platforms/report/output_folder.hpp"

namespace reconverge::cli {

namespace {

namespace fs = std::filesystem;

constexpr std::size_t most_shown = 5;  // failures

std::unique_ptr<Engine> engine_of(const SweepOptions& options) {
  if (options.engine == "slurm") return slurm_engine(options.folder, options.slurm);
  return local_engine(options.folder, options.jobs.value_or(host_cores()));
}

/// Jobs of a cluster would run points a second time.
void refuse_open_jobs(const SweepOptions& options, const sweep::Store& store) {
  if (options.engine == "slurm") return;
  for (const sweep::Submission& each : store.submissions()) {
    if (!each.is_open) continue;
    throw InputError({options.folder}, fmt::format("Slurm job {} may still run points of this sweep", each.job),
                     "continue with --engine slurm, or stop it with Ctrl-C there");
  }
}

/// What became of the points.
struct Outcome {
  std::size_t points = 0;
  std::size_t earlier = 0;                                        ///< that had a result before
  std::map<std::string, std::size_t> by_status;                   ///< "not run": without a result
  std::vector<std::pair<std::size_t, sweep::PointEnd>> failures;  ///< points, in order
};

Outcome outcome_of(const std::vector<sweep::Point>& points, const sweep::Store& store, std::size_t earlier) {
  Outcome outcome{points.size(), earlier, {}, {}};
  const int not_run = static_cast<int>(ExitCode::internal_error);
  for (std::size_t i = 0; i < points.size(); ++i) {
    sweep::PointEnd end = store.end_of(points[i].digest).value_or(sweep::PointEnd{"not run", not_run, {}});
    ++outcome.by_status[end.status];
    if (end.status != "ok") outcome.failures.emplace_back(i, std::move(end));
  }
  return outcome;
}

void print_outcome(const SweepOptions& options, const std::vector<sweep::Point>& points, const Outcome& outcome) {
  print_formatted("{} points", outcome.points);
  if (outcome.earlier != 0) print_formatted(", {} of them from an earlier run", outcome.earlier);
  for (const auto& [status, count] : outcome.by_status) print_formatted("; {}: {}", status, count);
  print("\n");
  for (std::size_t i = 0; i < std::min(outcome.failures.size(), most_shown); ++i) {
    const auto& [point, end] = outcome.failures[i];
    print_formatted("  {}: {}{}{}\n", end.status, label_of(points[point]), end.message.empty() ? "" : ": ",
                    end.message);
  }
  if (outcome.failures.size() > most_shown) print_formatted("  and {} more\n", outcome.failures.size() - most_shown);
  const std::string file = (fs::path(options.folder) / sweep::store_name).generic_string();
  print_formatted("Results in {}; to read them: reconverge query {} \"SELECT * FROM results\"\n", file, options.folder);
}

void print_json(const SweepOptions& options, const Outcome& outcome) {
  boost::json::object statuses;
  for (const auto& [status, count] : outcome.by_status) statuses[status] = count;
  print(configuration::pretty(
      boost::json::object{{"format", "reconverge sweep"},
                          {"store", (fs::path(options.folder) / sweep::store_name).generic_string()},
                          {"points", outcome.points},
                          {"earlier", outcome.earlier},
                          {"statuses", std::move(statuses)}}));
}

ExitCode list(const SweepOptions& options, const std::vector<sweep::Point>& points) {
  for (const sweep::Point& point : points) print_formatted("{}  {}\n", point.digest, label_of(point));
  if (!options.quiet) print_formatted("{} points\n", points.size());
  return ExitCode::success;
}

/// Of the first point that did not succeed.
ExitCode code_of(const Outcome& outcome) {
  return outcome.failures.empty() ? ExitCode::success
                                  : static_cast<ExitCode>(outcome.failures.front().second.exit_code);
}

}  // namespace

ExitCode run_sweep(const SweepOptions& options) {
  const ProgressSink sink = terminal_sink(options.quiet || options.json);
  const std::vector<sweep::Point> points = plan_sweep(options.space, options.each, sink);
  if (options.list) return list(options, points);
  const report::OutputFolder folder(options.folder);  // held by one process at a time
  sweep::Store store(folder.path() / sweep::store_name);
  refuse_open_jobs(options, store);
  if (options.retry) store.forget_failures(points);
  store.show(points);
  std::size_t earlier = 0;
  bool interrupted = false;
  {
    SweepSession session(points, store, options.each, sink, !options.quiet && !options.json);
    earlier = session.done();
    if (earlier != points.size()) engine_of(options)->run(session);
    interrupted = session.interrupt().requested();
  }
  const Outcome outcome = outcome_of(points, store, earlier);
  if (options.json) {
    print_json(options, outcome);
  } else if (!options.quiet) {
    print_outcome(options, points, outcome);
  }
  if (interrupted) return ExitCode::interrupted;
  if (options.slurm.detach && options.engine == "slurm") return ExitCode::success;
  return code_of(outcome);
}

}  // namespace reconverge::cli
