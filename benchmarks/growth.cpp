// SPDX-License-Identifier: Apache-2.0
// How the time and memory of a run grow with the number of SMs, warps and rays. One JSON object for each run, with the
// host's seconds on one thread, the warp instructions, and the most memory that the process had.

#include <fmt/format.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <string>

#include "benchmarks/timed_run.hpp"

extern "C" int sc_main(int /*argc*/, char** /*argv*/) { return 0; }

namespace reconverge {
namespace {

/// In a separate process, since only a process has a figure for its memory.
void report(const char* series, std::uint64_t value, const TimedRun& run) {
  std::fflush(stdout);
  const pid_t child = fork();
  if (child != 0) {
    waitpid(child, nullptr, 0);
    return;
  }
  const RunTime time = time_run(run);
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  fmt::print(
      R"({{"series": "{}", "value": {}, "seconds": {:.3f}, "cycles": {}, "warp_instructions": {}, "mebibytes": {}}})"
      "\n",
      series, value, time.seconds, time.cycles, time.warp_instructions, usage.ru_maxrss / 1024);
  std::fflush(stdout);
  _exit(0);
}

void report_all() {
  const std::string rays = "workload.max_rays=65536";
  for (const unsigned sms : {1U, 2U, 4U, 8U, 15U, 30U, 60U}) {
    report("sms", sms, {"conference", {fmt::format("gpu.sms={}", sms), rays}, 100'000});
  }
  for (const unsigned warps : {8U, 16U, 32U, 64U}) {
    report("warps", warps, {"conference", {fmt::format("gpu.sm.warp_slots={}", warps), "gpu.sms=1", rays}, 500'000});
  }
  for (unsigned count = 1024; count <= 65536; count *= 4) {
    report("rays", count, {"conference", {fmt::format("workload.max_rays={}", count), "gpu.sms=4"}});
  }
  report("memory", 2'000'000, {"drs_shuffling", {"workload.max_rays=2000000"}, 20'000});
}

}  // namespace
}  // namespace reconverge

int main() {
  reconverge::report_all();
  return 0;
}
