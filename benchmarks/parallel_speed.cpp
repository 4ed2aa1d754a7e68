// SPDX-License-Identifier: Apache-2.0
// How much faster a run is on several threads of the host: measured, and predicted for hosts with more cores.
//
//   parallel_speed [threads [pairs [machine]]]   2 threads, 5 pairs of runs and all machines if not given
//
// For each machine, one run on one thread gives the times of the parts of each quantum. From these follow the share of
// time that is serial, how unequal the turns of SMs are, and the speedup on N threads that take parts in their order.
// Then runs on one and on several threads alternate; the speedup is the median ratio. One JSON object a line.

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iostream>
#include <string>
#include <vector>

#include "benchmarks/timed_run.hpp"

extern "C" int sc_main(int /*argc*/, char** /*argv*/) { return 0; }

namespace reconverge {
namespace {

struct Setup {
  const char* name;
  TimedRun run;
};

const std::array setups{
    Setup{"gtx780.15sm", {"conference", {"gpu.sms=15", "workload.max_rays=131072"}, 150'000}},
    Setup{"dmk.30sm", {"dmk_microkernels", {}, 60'000}},
    Setup{"si.15sm", {"si/forest_mixed", {"gpu.sms=15"}, 100'000}},
    Setup{"drs.15sm", {"drs_shuffling", {"gpu.sms=15", "workload.max_rays=131072"}, 150'000}},
};

constexpr std::array threads_predicted{2U, 4U, 8U, 16U, 64U};
constexpr double barrier = 2e-6;  // seconds to begin and end a task together, as measured on two cores

/// What a run on one thread shows.
struct Shares {
  double total = 0;
  double memory = 0;
  double rest = 0;
  double longest = 0;  // the longest turn of each quantum
  double average = 0;
  std::array<double, threads_predicted.size()> predicted{};

  void add(const QuantumTimes& times) {
    const auto seconds = [](std::uint64_t nanoseconds) { return static_cast<double>(nanoseconds) * 1e-9; };
    double sms = 0;
    std::uint64_t most = 0;
    std::size_t at_work = 0;
    for (const std::uint64_t time : times.sms) {
      sms += seconds(time);
      most = std::max(most, time);
      at_work += time > 1000 ? 1 : 0;  // an SM that sleeps takes less than a microsecond
    }
    total += sms + seconds(times.memory) + seconds(times.rest);
    memory += seconds(times.memory);
    rest += seconds(times.rest);
    longest += seconds(most);
    average += at_work == 0 ? 0 : sms / static_cast<double>(at_work);
    for (std::size_t i = 0; i < predicted.size(); ++i) {
      // Each part goes to the thread that is free first; memory is the first part.
      std::vector<double> busy(threads_predicted[i]);
      busy[0] = seconds(times.memory);
      for (const std::uint64_t time : times.sms) *std::ranges::min_element(busy) += seconds(time);
      predicted[i] += *std::ranges::max_element(busy) + seconds(times.rest) + barrier;
    }
  }
};

double seconds_on(const TimedRun& run, unsigned threads) {
  TimedRun on = run;
  on.threads = threads;
  return time_run(on).simulating;
}

void report(const Setup& setup, unsigned threads, unsigned pairs) {
  Shares shares;
  time_run(setup.run, [&](Gpu& gpu) { gpu.time_quanta([&](const QuantumTimes& times) { shares.add(times); }); });
  std::string predicted;
  for (std::size_t i = 0; i < threads_predicted.size(); ++i) {
    predicted +=
        fmt::format("{}\"{}\": {:.2f}", i == 0 ? "" : ", ", threads_predicted[i], shares.total / shares.predicted[i]);
  }
  std::vector<double> ratios;
  for (unsigned pair = 0; pair < pairs; ++pair) {
    // Each is first in half of the pairs.
    const double first = seconds_on(setup.run, pair % 2 == 0 ? 1 : threads);
    const double second = seconds_on(setup.run, pair % 2 == 0 ? threads : 1);
    ratios.push_back(pair % 2 == 0 ? first / second : second / first);
  }
  std::ranges::sort(ratios);
  std::cout
      << fmt::format(
             R"({{"name": "{}", "memory": {:.3f}, "serial": {:.3f}, "longest_turn": {:.2f}, "predicted": {{{}}}, )"
             R"("threads": {}, "speedup": {:.2f}, "least": {:.2f}, "most": {:.2f}}})",
             setup.name, shares.memory / shares.total, shares.rest / shares.total, shares.longest / shares.average,
             predicted, threads, ratios[ratios.size() / 2], ratios.front(), ratios.back())
      << std::endl;
}

}  // namespace
}  // namespace reconverge

int main(int argc, char** argv) {
  const auto number = [&](int index, unsigned otherwise) {
    return argc > index ? static_cast<unsigned>(std::stoul(argv[index])) : otherwise;
  };
  for (const reconverge::Setup& setup : reconverge::setups) {
    if (argc > 3 && std::string(argv[3]) != setup.name) continue;
    reconverge::report(setup, number(1, 2), number(2, 5));
  }
  return 0;
}
