// SPDX-License-Identifier: Apache-2.0
#include "platforms/cli/sweep/point_runner.hpp"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <boost/json/parse.hpp>
#include <csignal>

#include "models/core/input_file.hpp"
#include "platforms/cli/execute.hpp"
#include "platforms/cli/run/ending.hpp"
#include "platforms/cli/run/single_run.hpp"
#include "platforms/host/host_name.hpp"

namespace reconverge::cli {

namespace {

namespace fs = std::filesystem;

std::string time_before(double seconds) {
  const auto now = std::chrono::system_clock::now();
  const auto start = now - std::chrono::milliseconds(static_cast<std::int64_t>(seconds * 1000));
  return fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(std::chrono::system_clock::to_time_t(start)));
}

/// The first line of what a process wrote, without the name of the program.
std::string first_error(const CapturedFile& errors) {
  if (errors == nullptr) return {};
  std::rewind(errors.get());
  std::array<char, 4096> buffer{};
  const std::size_t size = std::fread(buffer.data(), 1, buffer.size(), errors.get());
  std::string_view text(buffer.data(), size);
  constexpr std::string_view mark = "error: ";
  if (const std::size_t at = text.find(mark); at != std::string_view::npos) text.remove_prefix(at + mark.size());
  return std::string(text.substr(0, text.find('\n')));
}

boost::json::object document(const fs::path& file) {
  return boost::json::parse(read_input(file, input::report)).as_object();
}

ExitCode run_point(const PointRunner& runner, std::size_t index, const fs::path& folder, const ProgressSink& progress) {
  const sweep::Point& point = runner.points[index];
  RunOptions run;
  run.experiment = {point.file, point.overrides, runner.options.plugins};
  run.folder = folder.generic_string();
  run.force = true;
  run.quiet = true;
  run.limits = runner.options.limits;
  const RunDisplay display{runner.shows_progress ? progress : ProgressSink(), true, Tables::unsuccessful};
  return execute([&] { return run_experiment(run, display); });
}

std::optional<sweep::PointRecord> record_of(const PointRunner& runner, const Ending& ending, const fs::path& folder) {
  const bool stopped = ending.signal == 0 ? ending.code == ExitCode::interrupted : ends_preparation(ending.signal);
  if (stopped) return std::nullopt;
  sweep::PointRecord record;
  record.digest = runner.points[ending.task].digest;
  record.status = status_of(ending);
  record.exit_code = ending.signal == 0         ? static_cast<int>(ending.code)
                     : ending.signal == SIGALRM ? static_cast<int>(ExitCode::limit_reached)
                                                : static_cast<int>(ExitCode::internal_error);
  if (record.exit_code != 0) record.message = first_error(ending.errors);
  record.host = host_name();
  record.started = time_before(ending.seconds);
  record.seconds = ending.seconds;
  record.memory_bytes = ending.memory_bytes;
  if (ending.signal == 0 && has_report(ending.code))
    sweep::add_report(record, document(folder / "report.json"), document(folder / "manifest.json"));
  return record;
}

}  // namespace

void PointRunner::run() const {
  const auto work = [this](std::size_t point) { return folder / "work" / points[point].digest; };
  SideBySide plan;
  plan.at_once = at_once;
  plan.enter = InterruptGuard::leave_to_parent;
  plan.next = next;
  plan.work = [&](std::size_t point, const ProgressSink& sink) { return run_point(*this, point, work(point), sink); };
  plan.interrupted = [this] { return interrupt.requested(); };
  plan.progress = progress;
  plan.wake = wake;
  plan.ended = [&](const Ending& ending) {
    const fs::path from = work(ending.task);
    std::optional<sweep::PointRecord> record = record_of(*this, ending, from);
    std::error_code ignored;
    if (options.keep_reports && record && !record->parts.empty()) {
      const fs::path to = folder / "reports" / points[ending.task].digest;
      fs::create_directories(to.parent_path());
      fs::remove_all(to, ignored);
      fs::rename(from, to);
    } else {
      fs::remove_all(from, ignored);
    }
    ended(ending.task, std::move(record));
  };
  fs::create_directories(folder / "work");
  run_side_by_side(plan);
  std::error_code ignored;
  fs::remove(folder / "work", ignored);  // if it is empty
}

}  // namespace reconverge::cli
