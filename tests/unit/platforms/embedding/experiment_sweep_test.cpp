// SPDX-License-Identifier: Apache-2.0
/// Several experiments in processes: the reports of one process, failures and stops.

#include "platforms/embedding/experiment_sweep.hpp"

#include <catch2/catch.hpp>
#include <memory>
#include <set>
#include <thread>

#include "models/core/error.hpp"
#include "platforms/embedding/host_failure.hpp"
#include "platforms/embedding/kernel_source.hpp"

using namespace reconverge;
using namespace reconverge::embedding;

namespace {

const std::string saxpy = RECONVERGE_SOURCE_DIR "/yaml/experiments/saxpy.yaml";

/// An experiment for each number of elements of x; fewer than 4096 are too few.
std::vector<EmbeddedExperiment> experiments_of(const std::vector<std::string>& counts) {
  std::vector<EmbeddedExperiment> experiments;
  for (const std::string& count : counts) {
    EmbeddedExperiment& experiment = experiments.emplace_back(saxpy);
    experiment.set("machine", "functional");
    experiment.set("buffers.x.count", count);
  }
  return experiments;
}

std::vector<ExperimentReport> run(const std::vector<std::string>& counts, const SweepRuns& runs) {
  const std::vector<EmbeddedExperiment> experiments = experiments_of(counts);
  std::vector<const EmbeddedExperiment*> pointers;
  for (const EmbeddedExperiment& experiment : experiments) pointers.push_back(&experiment);
  return run_sweep(pointers, runs);
}

SweepRuns with_jobs(std::size_t jobs) {
  SweepRuns runs;
  runs.jobs = jobs;
  return runs;
}

HostFailure failure_with(std::size_t jobs) {
  try {
    run({"4096", "100", "200"}, with_jobs(jobs));
  } catch (...) {
    return failure_of_current_exception();
  }
  return {};
}

}  // namespace

TEST_CASE("runs in processes leave the reports of runs in one process, in the order of the experiments") {
  const std::vector<std::string> counts{"4096", "5000", "6000", "7000", "4096"};
  const auto expected = run(counts, with_jobs(1));
  const auto reports = run(counts, with_jobs(3));
  REQUIRE(reports.size() == counts.size());
  for (std::size_t i = 0; i < reports.size(); ++i) {
    CHECK(reports[i].json == expected[i].json);
    CHECK(reports[i].table == expected[i].table);
    CHECK(reports[i].passed);
    REQUIRE(reports[i].outputs.size() == 1);
    CHECK(reports[i].outputs[0].name == expected[i].outputs[0].name);
    CHECK(reports[i].outputs[0].bytes == expected[i].outputs[0].bytes);
  }
  CHECK(reports[1].json != reports[2].json);
}

TEST_CASE("a sweep ends with the failure of the first experiment that fails") {
  const HostFailure one = failure_with(1);
  const HostFailure several = failure_with(3);
  CHECK(one.kind == HostFailure::Kind::execution);
  CHECK_THAT(one.message, Catch::Contains("190 in kernel"));
  CHECK(several.kind == one.kind);
  CHECK(several.message == one.message);
  CHECK(several.location.line == one.location.line);
}

TEST_CASE("progress of processes reaches the thread of the caller, and a no stops one run") {
  std::set<std::thread::id> threads;
  std::size_t calls = 0;
  SweepRuns runs = with_jobs(2);
  runs.each.keep_running = [&](const RunProgress& progress) {
    threads.insert(std::this_thread::get_id());
    CHECK(progress.part == "saxpy");
    CHECK(progress.all == 16);
    return ++calls != 1;
  };
  const auto reports = run({"4096", "4096", "4096"}, runs);
  CHECK(threads == std::set<std::thread::id>{std::this_thread::get_id()});
  CHECK(reports[0].partial + reports[1].partial + reports[2].partial == 1);
}

TEST_CASE("an interrupt ends a sweep") {
  for (const std::size_t jobs : {1, 2}) {
    SweepRuns runs = with_jobs(jobs);
    bool interrupted = false;
    runs.each.keep_running = [&](const RunProgress&) { return interrupted = true; };
    runs.interrupted = [&] { return interrupted; };
    CHECK_THROWS_AS(run({"4096", "4096", "4096"}, runs), Interrupted);
  }
}
