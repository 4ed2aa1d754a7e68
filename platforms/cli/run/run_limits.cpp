// SPDX-License-Identifier: Apache-2.0
#include "platforms/cli/run/run_limits.hpp"

#include <fmt/format.h>

#include <cmath>
#include <cstdint>
#include <string>

#include "models/core/error.hpp"

namespace reconverge::cli {

namespace {

constexpr std::uint64_t most_cycles = 1'000'000'000'000;  // like stop_after of an experiment

std::string refusal_of_seconds(const std::string& text) {
  double seconds = 0;
  const bool fits = CLI::detail::lexical_cast(text, seconds) && std::isfinite(seconds) && seconds > 0;
  return fits ? std::string() : "'" + text + "' is no number of seconds above 0";
}

std::string refusal_of_cycles(const std::string& text) {
  std::uint64_t cycles = 0;
  const bool fits = CLI::detail::lexical_cast(text, cycles) && cycles >= 1 && cycles <= most_cycles;
  return fits ? std::string()
              : fmt::format("'{}' is not a whole number from 1 to {}; write it in digits", text, most_cycles);
}

}  // namespace

void add_limit_options(CLI::App& command, RunLimits& limits) {
  command
      .add_option("--max-cycles", limits.cycles,
                  "End the run after N simulated cycles of all launches together, with a partial report")
      ->check(CLI::Validator(refusal_of_cycles, "CYCLES"))
      ->type_name("N");
  command
      .add_option("--max-seconds", limits.seconds,
                  "End the run after S seconds of the host's clock, with a partial report")
      ->check(CLI::Validator(refusal_of_seconds, "SECONDS"))
      ->type_name("S");
}

void check_limits(const RunLimits& limits, const MachineKind& machine) {
  if (limits.cycles == 0 || machine.traits.timed) return;
  throw InputError({"--max-cycles"}, fmt::format("the machine is {}, which has no cycles", machine.name),
                   "give --max-seconds, or set machine to timed");
}

}  // namespace reconverge::cli
