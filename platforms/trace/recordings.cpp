// SPDX-License-Identifier: Apache-2.0
#include "platforms/trace/recordings.hpp"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <exception>
#include <filesystem>
#include <system_error>
#include <utility>

#include "blocks/warp_scheduler.hpp"
#include "models/core/digest.hpp"
#include "models/core/error.hpp"
#include "platforms/report/lone_file.hpp"

namespace reconverge::trace {

namespace {

constexpr report::FileKind trace_kind{"a trace of Reconverge", file_mark};
constexpr report::FileKind log_kind{"a log of Reconverge", log_mark};
constexpr report::FileKind wave_kind{"a waveform of Reconverge", "Reconverge"};  // name used by the writer

/// The outcomes of issue slots, in the schedulers' order.
std::vector<std::string> outcomes_of(const Machine& machine) {
  std::vector<std::string> names;
  machine.totals().view<WarpSchedulerStatistics>().visit(
      [&](const StatisticDescription& statistic, std::span<const std::uint64_t> values) {
        if (statistic.name != "slots") return;
        for (std::size_t bin = 0; bin < values.size(); ++bin) names.push_back(bin_name(statistic, bin));
      });
  return names;
}

report::OutputError nothing_ran(const std::string& file, const CycleWindow& window) {
  return {file, fmt::format("nothing ran in cycles {} to {}", window.first, window.last)};
}

/// Two recordings must not share a file: the second would be refused, or replace the first, after the run.
void refuse_common_file(const RecordedFiles& files) {
  const std::array<std::pair<std::string_view, const std::string&>, 3> options{
      {{"--wave", files.wave}, {"--trace", files.trace}, {"--log", files.log}}};
  for (auto one = options.begin(); one != options.end(); ++one) {
    for (auto other = options.begin(); other != one; ++other) {
      std::error_code error;
      if (one->second.empty() || other->second.empty() ||
          std::filesystem::weakly_canonical(one->second, error) !=
              std::filesystem::weakly_canonical(other->second, error)) {
        continue;
      }
      throw InputError({}, fmt::format("{} and {} both write {}", other->first, one->first, one->second),
                       "give each a file");
    }
  }
}

}  // namespace

CycleWindow read_window(const std::string& option, const std::string& text) {
  const auto refuse = [&]() -> InputError {
    return {{}, fmt::format("{}: '{}' is no window of cycles", option, text), "give the first and the last, as 0:9999"};
  };
  CycleWindow window;
  const char* const end = text.data() + text.size();
  const auto first = std::from_chars(text.data(), end, window.first);
  if (first.ec != std::errc() || first.ptr == end || *first.ptr != ':') throw refuse();
  const auto last = std::from_chars(first.ptr + 1, end, window.last);
  if (last.ec != std::errc() || last.ptr != end || window.last < window.first) throw refuse();
  return window;
}

Recordings::Recordings(const RecordedFiles& options, bool force) : options_(options), force_(force) {
  // Fails now instead of after a long run.
  refuse_common_file(options);
  if (!options.trace.empty()) report::check_place(options.trace, trace_kind, force);
  if (!options.wave.empty()) report::check_place(options.wave, wave_kind, force);
  if (!options.log.empty()) log_file_.emplace(options.log, log_kind, force);
  if (options.wave.empty()) return;
  if (!twin::can_write_waves()) {
    throw InputError({}, "--wave: this build has no RTL and no writer of waveforms",
                     "install Verilator and zlib (apt-get install verilator zlib1g-dev), and build again");
  }
  waves_ = std::make_unique<twin::Waves>(options.wave_window);
}

PrepareMachine Recordings::prepare() {
  if (!options_.any()) return {};
  return [this](Machine& machine) {
    if (waves_ && waves_->connect() == 0) {
      throw InputError({}, "--wave: no block of this machine is in RTL, and only RTL has signals",
                       "run a block that has RTL in lock step: --set gpu.sm.<scheme>.implementation=lockstep");
    }
    if (!options_.trace.empty()) {
      trace_ = std::make_unique<SmTrace>(options_.trace_window, outcomes_of(machine));
      observe(machine, "--trace", *trace_);
    }
    if (log_file_) {
      log_ = std::make_unique<WarpLog>(options_.log_window, outcomes_of(machine),
                                       [this](std::string_view lines) { log_file_->write(lines); });
      observe(machine, "--log", *log_);
      log_file_->flush();  // reports a full device before the run
    }
  };
}

void Recordings::observe(Machine& machine, std::string_view option, RunObserver& observer) {
  if (machine.observe_run(observer)) return;
  throw InputError({}, fmt::format("{}: this machine has no timed warps to show", option), "set machine to timed");
}

void Recordings::write(std::string_view json_report) {
  std::exception_ptr first;
  const auto attempt = [&](const auto& write_one) {
    try {
      write_one();
    } catch (const report::OutputError&) {
      if (!first) first = std::current_exception();
    }
  };
  if (waves_) attempt([&] { write_wave(); });
  if (trace_) attempt([&] { write_trace(json_report); });
  if (log_) attempt([&] { write_log(); });
  if (first) std::rethrow_exception(first);
}

std::string Recordings::write_log_of_error() {
  if (!log_ || log_->empty()) return {};
  log_->end_waits();
  try {
    log_file_->finish();
  } catch (const report::OutputError& error) {
    return error.what();
  }
  return fmt::format("the log of the warps up to the error is in {}", options_.log);
}

void Recordings::write_wave() {
  std::string bytes;
  try {
    bytes = waves_->fst();
  } catch (const ExecutionError& error) {
    throw report::OutputError(options_.wave, error.what());
  } catch (const std::system_error& error) {
    throw report::OutputError(options_.wave, error.what());
  }
  report::write_file(options_.wave, wave_kind, force_, bytes);
}

void Recordings::write_trace(std::string_view json_report) {
  Trace taken = trace_->take();
  if (taken.slices.empty()) throw nothing_ran(options_.trace, options_.trace_window);
  taken.uuid = uuid_of(sha256(json_report));
  report::write_file(options_.trace, trace_kind, force_, to_perfetto(taken));
}

void Recordings::write_log() {
  if (log_->empty()) throw nothing_ran(options_.log, options_.log_window);
  log_file_->finish();
}

}  // namespace reconverge::trace
