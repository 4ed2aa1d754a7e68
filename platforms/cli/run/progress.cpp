// SPDX-License-Identifier: Apache-2.0
#include "platforms/cli/run/progress.hpp"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <cmath>
#include <cstdio>

#include "models/core/figure.hpp"
#include "models/core/printable.hpp"

namespace reconverge::cli {

namespace {

constexpr std::chrono::milliseconds interval{200};
constexpr double seconds_without_end = 60;  // of any block; then a way to end the run is suggested

/// `1:02:03` or `2:03`.
std::string clock_text(double seconds) {
  const auto whole = static_cast<std::uint64_t>(std::llround(seconds));
  const std::uint64_t hours = whole / 3600;
  const std::uint64_t minutes = whole / 60 % 60;
  if (hours != 0) return fmt::format("{}:{:02}:{:02}", hours, minutes, whole % 60);
  return fmt::format("{}:{:02}", minutes, whole % 60);
}

/// Assumes that the rest runs at the speed so far.
std::string time_left(const RunProgress& progress, double elapsed) {
  const double share = progress.share.value_or(static_cast<double>(progress.done) / static_cast<double>(progress.all));
  return clock_text((1 - share) * elapsed / share);
}

double percent_of(const RunProgress& progress) {
  return 100 * ratio(static_cast<double>(progress.done), static_cast<double>(progress.all));
}

std::string text_of_rays(const RunProgress& progress, double elapsed) {
  std::string text =
      fmt::format("{}: {} of {} rays ({:.0f} %), {:.2f} Mcycles/s, {:.1f} krays/s", progress.part, progress.done,
                  progress.all, percent_of(progress), ratio(static_cast<double>(progress.cycles), elapsed) / 1e6,
                  ratio(static_cast<double>(progress.done), elapsed) / 1e3);
  if (progress.done != 0) text += fmt::format(", {} left", time_left(progress, elapsed));
  return text;
}

std::string text_of_blocks(const RunProgress& progress, double elapsed) {
  std::string text =
      fmt::format("{}: {} of {} blocks ({:.0f} %), ", progress.part, progress.done, progress.all, percent_of(progress));
  const bool timed = progress.cycles != 0;
  if (timed) text += fmt::format("{:.2f} Mcycles/s, ", static_cast<double>(progress.cycles) / elapsed / 1e6);
  text += fmt::format("{} elapsed", clock_text(elapsed));
  if (progress.done != 0) {
    text += fmt::format(", {} left", time_left(progress, elapsed));
  } else if (elapsed >= seconds_without_end) {
    // The program may loop forever.
    text += fmt::format("; {} would end it", timed ? "--max-cycles" : "--max-seconds");
  }
  return text;
}

/// Cut to the terminal's width, or the line could not be erased.
std::string_view fitting(std::string_view line) {
  winsize size{};
  const bool known = ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 1;
  return line.substr(0, known ? size.ws_col - 1U : 79U);
}

}  // namespace

std::string progress_text(const RunProgress& progress, double elapsed) {
  return progress.unit == RunProgress::Unit::rays ? text_of_rays(progress, elapsed) : text_of_blocks(progress, elapsed);
}

std::string brief_text(const RunProgress& progress) {
  const std::string percent = fmt::format("{:.0f} %", percent_of(progress));
  return progress.unit == RunProgress::Unit::rays ? percent : fmt::format("{} {}", progress.part, percent);
}

void show_on_terminal(std::string_view line) {
  std::fputs(fmt::format("\r\x1b[K{}", fitting(printable(line))).c_str(), stderr);
}

ProgressSink terminal_sink(bool quiet) {
  if (quiet || isatty(STDERR_FILENO) != 1) return {};
  return &show_on_terminal;
}

ProgressLine::~ProgressLine() { clear(); }

void ProgressLine::clear() {
  if (written_) sink_({});
}

void ProgressLine::update(const std::function<std::string(double)>& text) {
  if (!sink_) return;
  const HostClock::time_point now = HostClock::now();
  if (!start_) start_ = now;
  if (written_ && now - last_ < interval) return;
  last_ = now;
  written_ = true;
  sink_(text(std::chrono::duration<double>(now - *start_).count()));
}

}  // namespace reconverge::cli
