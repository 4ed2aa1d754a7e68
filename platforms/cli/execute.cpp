// SPDX-License-Identifier: Apache-2.0
#include "platforms/cli/execute.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <exception>
#include <new>
#include <system_error>
#include <utility>

#include "models/core/error.hpp"
#include "models/core/host_error.hpp"
#include "models/core/printable.hpp"
#include "platforms/cli/interrupt.hpp"
#include "platforms/cli/print.hpp"
#include "platforms/report/output_folder.hpp"

namespace reconverge::cli {

namespace {

void tell(std::string_view kind, std::string message) {
  std::replace_if(
      message.begin(), message.end(), [](char c) { return c == '\n' || c == '\r'; }, ' ');
  std::fputs(fmt::format("reconverge: {}: {}\n", kind, printable(message)).c_str(), stderr);
}

}  // namespace

ExitCode complain(ExitCode code, std::string message) {
  tell("error", std::move(message));
  return code;
}

void warn(const std::vector<std::string>& warnings) {
  for (const std::string& warning : warnings) tell("warning", warning);
}

ExitCode flush_output(ExitCode code) {
  const int error = std::fflush(stdout) == 0 ? output_error() : errno;
  if (std::ferror(stdout) == 0) return code;
  if (code == ExitCode::interrupted) return code;
  if (nobody_reads()) return code == ExitCode::success ? ExitCode::interrupted : code;
  const std::string reason = error == 0 ? "" : ": " + std::generic_category().message(error);
  return complain(ExitCode::output_failed, "standard output cannot be written" + reason);
}

ExitCode execute(const Command& command, const std::string& about) {
  const auto refuse = [&](ExitCode code, const std::string& message) {
    return complain(code, about.empty() ? message : fmt::format("{}: {}", about, message));
  };
  try {
    return flush_output(command());
  } catch (const Interrupted&) {
    InterruptGuard::end_unprepared();
    return ExitCode::interrupted;
  } catch (const InputError& error) {
    return refuse(ExitCode::bad_input, error.what());
  } catch (const ExecutionError& error) {
    return refuse(ExitCode::execution_failed, error.what());
  } catch (const report::OutputError& error) {
    std::fflush(stdout);
    return refuse(ExitCode::output_failed, error.what());
  } catch (const std::bad_alloc&) {
    return refuse(ExitCode::internal_error, "there is not enough memory for this; make the workload smaller");
  } catch (const HostError& error) {
    return refuse(ExitCode::internal_error, error.what());
  } catch (const std::exception& error) {
    return refuse(ExitCode::internal_error, fmt::format("internal error: {}", error.what()));
  } catch (...) {
    return refuse(ExitCode::internal_error, "internal error: an exception without a text, perhaps of a plugin");
  }
}

}  // namespace reconverge::cli
