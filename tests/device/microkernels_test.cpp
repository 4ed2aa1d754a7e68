// SPDX-License-Identifier: Apache-2.0
// Every plain kernel of the tree and the micro-kernels made from it leave the same memory on the scalar interpreter.

#include "models/kernel/transform/microkernels.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <iostream>
#include <map>
#include <optional>
#include <set>

#include "models/core/error.hpp"
#include "testbenches/reference/scalar_interpreter.hpp"
#include "tests/device/device_cases.hpp"
#include "tests/device/microkernel_refusals.hpp"

namespace reconverge::tests {
namespace {

using device::Buffers;
using device::Job;
using kernel::MicrokernelOptions;
using kernel::SplitAt;

using kernel::GoesOn;
using kernel::LocalArrays;

constexpr MicrokernelOptions ways[] = {{SplitAt::loops, 0, LocalArrays::state, 1, GoesOn::nowhere},
                                       {SplitAt::loops, 1, LocalArrays::state, 1, GoesOn::nowhere},
                                       {SplitAt::branches, 0, LocalArrays::state, 1, GoesOn::nowhere},
                                       {SplitAt::loops, 0, LocalArrays::global, 1, GoesOn::anywhere},
                                       {SplitAt::branches, 0, LocalArrays::state, 1, GoesOn::anywhere}};

Buffers run_scalar(const Job& job) {
  ScalarInterpreter interpreter;
  return run_on(
      interpreter.memory(), [&](const Launch& launch) { interpreter.run(launch); }, job);
}

/// Room for local arrays in global memory, after the data that the job compares.
void add_arrays(std::uint64_t bytes, Job& job) {
  job.arguments.emplace_back(device::BufferAddress{job.buffers.size()});
  job.buffers.emplace_back(bytes * job.grid.count() * job.block.count());
}

/// The message without position and hint.
std::string reason_of(const InputError& error) {
  const std::string text = error.what();
  const std::size_t from = text.find(": ") + 2;
  return text.substr(from, text.size() - from - (error.hint().empty() ? 0 : error.hint().size() + 2));
}

struct Outcome {
  std::set<std::string> run;
  std::map<std::string, std::string> refused;  ///< reason, by job
};

void check(const DeviceCase& one, Outcome& outcome) {
  std::optional<Buffers> expected;
  std::string refused;
  for (const MicrokernelOptions& way : ways) {
    Job job = one.job;
    try {
      const kernel::Microkernels made = kernel::make_microkernels(one.job.ptx, one.job.name, one.job.entry, way);
      job.ptx = made.text;
      if (made.report.array_bytes != 0) add_arrays(made.report.array_bytes, job);
    } catch (const InputError& error) {
      refused = reason_of(error);
      continue;
    }
    if (!expected) expected = run_scalar(one.job);
    CAPTURE(one.job.name, way.split == SplitAt::loops, way.depth, way.adaptive != GoesOn::nowhere);
    try {
      Buffers found = run_scalar(job);
      found.resize(one.job.buffers.size());
      CHECK_THAT(one.difference(*expected, found), Catch::Equals(""));
    } catch (const std::exception& error) {
      FAIL_CHECK(error.what());
    }
  }
  if (expected)
    outcome.run.insert(one.job.name);
  else
    outcome.refused[one.job.name] = refused;
}

std::string text_of(const std::map<std::string, std::string>& refused) {
  std::string text;
  for (const auto& [name, why] : refused) text += fmt::format("    {{\"{}\", \"{}\"}},\n", name, why);
  return text;
}

Outcome outcome_of(std::string_view what, const std::vector<DeviceCase>& cases) {
  Outcome outcome;
  for (const DeviceCase& one : cases) check(one, outcome);
  std::cout << fmt::format("{}: {} made to micro-kernels, {} refused\n", what, outcome.run.size(),
                           outcome.refused.size());
  return outcome;
}

void check_all(std::string_view what, const std::vector<DeviceCase>& cases, std::span<const RefusedKernel> known,
               std::size_t least) {
  const Outcome outcome = outcome_of(what, cases);
  std::map<std::string, std::string> expected;
  for (const RefusedKernel& one : known) expected.emplace(one.name, one.why);
  INFO("refused now:\n" << text_of(outcome.refused));
  CHECK(outcome.refused == expected);
  CHECK(outcome.run.size() >= least);
}

}  // namespace

TEST_CASE("the kernels of the testbenches leave the same memory as micro-kernels", "[microkernels]") {
  check_all("platforms/kernels", kernel_cases(), refused_kernels, 18);
}

TEST_CASE("nvcc's PTX of the corpus leaves the same memory as micro-kernels", "[microkernels]") {
  check_all("corpus, nvcc", nvcc_cases(), refused_nvcc, 10);
}

TEST_CASE("clang's PTX of the corpus leaves the same memory as micro-kernels", "[microkernels]") {
  const std::vector<DeviceCase> cases = clang_cases();
  if (!cases.empty()) CHECK(outcome_of("corpus, clang", cases).run.size() >= 15);
}

TEST_CASE("the kernels of the contract suite leave the same memory as micro-kernels", "[microkernels]") {
  CHECK(outcome_of("contract suite", contract_cases()).run.size() >= 25);
}

}  // namespace reconverge::tests
