// SPDX-License-Identifier: Apache-2.0
#include "platforms/cli/run/ending.hpp"

#include <fmt/format.h>

#include <csignal>
#include <cstring>

namespace reconverge::cli {

std::string status_of(const Ending& ending, bool foreign_codes) {
  if (ending.signal == SIGALRM) return "limit reached";  // before there was anything to report
  if (ending.signal != 0) {
    const char* name = sigabbrev_np(ending.signal);
    return name == nullptr ? fmt::format("killed by signal {}", ending.signal) : fmt::format("killed by SIG{}", name);
  }
  const auto of_exit_code = [&] { return fmt::format("exit code {}", static_cast<unsigned>(ending.code)); };
  if (foreign_codes && ending.code != ExitCode::success && ending.code != ExitCode::limit_reached)
    return of_exit_code();
  switch (ending.code) {
    case ExitCode::success:
      return "ok";
    case ExitCode::check_failed:
      return "check failed";
    case ExitCode::bad_input:
      return "bad input";
    case ExitCode::execution_failed:
      return "program failed";
    case ExitCode::output_failed:
      return "output failed";
    case ExitCode::limit_reached:
      return "limit reached";
    case ExitCode::interrupted:
      return "interrupted";
    case ExitCode::internal_error:
      return "internal error";
    default:
      return of_exit_code();
  }
}

bool has_report(ExitCode code, bool foreign_codes) {
  if (code == ExitCode::success || code == ExitCode::limit_reached) return true;
  return !foreign_codes && (code == ExitCode::check_failed || code == ExitCode::interrupted);
}

bool ends_preparation(int signal) { return signal == SIGINT || signal == SIGTERM || signal == SIGHUP; }

}  // namespace reconverge::cli
