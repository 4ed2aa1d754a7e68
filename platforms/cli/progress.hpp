#pragma once
/// The one line on the terminal that says how far a run is.

#include <chrono>
#include <functional>
#include <string>
#include <string_view>
#include <utility>

#include "platforms/experiment/ray_tracing.hpp"
#include "platforms/launch/run_plan.hpp"

namespace reconverge::cli {

/// The line's text; `elapsed` is the host time in seconds since the first stage began.
std::string progress_text(const RunProgress& progress, double elapsed);
std::string progress_text(const launch::PlanProgress& progress, double elapsed);

/// The same in a few characters, for one of several runs.
std::string brief_text(const RunProgress& progress);
std::string brief_text(const launch::PlanProgress& progress);

/// Takes the line that is to be seen from now on; an empty one is none.
using ProgressSink = std::function<void(std::string_view line)>;

/// To the terminal behind standard error, cut to its width.
void show_on_terminal(std::string_view line);
/// What a person watches, or nothing: standard error is no terminal, or nothing is to be shown.
ProgressSink terminal_sink(bool quiet);

/// A line that is renewed now and then, and gone when this object is. Without a sink there is none.
class ProgressLine {
 public:
  explicit ProgressLine(ProgressSink sink) : sink_(std::move(sink)) {}
  ~ProgressLine();
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  /// Takes the line away, so that other text can stand there.
  void clear();
  /// Calls `text` with the host time since this object was made, when a new line is due.
  void update(const std::function<std::string(double elapsed)>& text);

 private:
  using HostClock = std::chrono::steady_clock;

  ProgressSink sink_;
  bool written_ = false;
  HostClock::time_point start_ = HostClock::now();
  HostClock::time_point last_{};
};

}  // namespace reconverge::cli
