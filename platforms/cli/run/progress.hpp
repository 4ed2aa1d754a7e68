// SPDX-License-Identifier: Apache-2.0
#pragma once
/// The progress line on the terminal.

#include <chrono>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "platforms/run_control.hpp"

namespace reconverge::cli {

/// The line's text; `elapsed` is the host time in seconds since the simulation began.
std::string progress_text(const RunProgress& progress, double elapsed);

/// A short form, for one of several runs.
std::string brief_text(const RunProgress& progress);

/// Receives the line to show from now on; an empty line shows nothing.
using ProgressSink = std::function<void(std::string_view line)>;

/// Writes to the terminal of standard error, cut to its width.
void show_on_terminal(std::string_view line);
/// The progress display, or nothing if standard error is not a terminal or progress is turned off.
ProgressSink terminal_sink(bool quiet);

/// A line that is updated from time to time and erased when this object is destroyed. Without a sink it does nothing.
class ProgressLine {
 public:
  explicit ProgressLine(ProgressSink sink) : sink_(std::move(sink)) {}
  ~ProgressLine();
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  /// Erases the line, so that other text can be printed.
  void clear();
  /// Calls `text` with the host time since the first call, when an update is due: that is when the simulation begins.
  void update(const std::function<std::string(double elapsed)>& text);

 private:
  using HostClock = std::chrono::steady_clock;

  ProgressSink sink_;
  bool written_ = false;
  std::optional<HostClock::time_point> start_;
  HostClock::time_point last_{};
};

}  // namespace reconverge::cli
