// SPDX-License-Identifier: Apache-2.0
#include "platforms/sampling/block_sample.hpp"

#include <catch2/catch.hpp>
#include <cmath>
#include <numeric>

#include "platforms/launch/session.hpp"
#include "tests/unit/core/temporary_folder.hpp"

namespace reconverge {
namespace {

using launch::LaunchResult;
using launch::Session;

const std::string kernels = RECONVERGE_SOURCE_DIR "/platforms/kernels/";
constexpr std::uint32_t block = 128;

GpuParameters small_gpu() {
  GpuParameters gpu;
  gpu.sms = 2;
  gpu.sm.warp_slots = 16;
  return gpu;
}

/// Computes y = 2 x + y for x = 0, 1, 2, ... and y = 1.
struct Saxpy {
  Session session{"timed", small_gpu()};
  const kernel::Program& program = session.load(kernels + "saxpy.ptx");
  std::uint32_t count;
  DeviceAddress y = 0;

  explicit Saxpy(std::uint32_t values) : count(values) {}

  LaunchResult run() {
    std::vector<float> numbers(count);
    std::iota(numbers.begin(), numbers.end(), 0.0F);
    const DeviceAddress x = session.upload<float>("x", numbers);
    y = session.upload<float>("y", std::vector<float>(count, 1));
    return session.run(program, {(count + block - 1) / block}, {block}, {2.0F, x, y, count});
  }
  std::size_t wrong() {
    const std::vector<float> values = session.download<float>(y);
    std::size_t differ = 0;
    for (std::size_t i = 0; i < values.size(); ++i) differ += values[i] != 1 + 2 * static_cast<float>(i) ? 1 : 0;
    return differ;
  }
};

/// Why a kernel with these instructions runs in full; empty if it can be sampled.
std::string reason_for(const std::string& body) {
  const tests::TemporaryFolder folder;
  const auto file = folder.write("k.ptx",
                                 ".version 7.0\n.target sm_70\n.address_size 64\n"
                                 ".visible .entry k(.param .u64 p)\n{\n"
                                 ".reg .u32 %r<4>;\n.reg .u64 %d<2>;\n.shared .u32 s[4];\n"
                                 "ld.param.u64 %d1, [p];\n" +
                                     body + "\nret;\n}\n");
  Session session("timed", small_gpu());
  return sampling::in_full_because(session.load(file));
}

}  // namespace

TEST_CASE("a sampled launch computes all results, and its counters are estimates", "[sampling]") {
  const LaunchResult exact = Saxpy(200'000).run();
  const std::uint64_t consecutive = GENERATE(0, 1, 5);
  CAPTURE(consecutive);
  Saxpy part(200'000);
  part.session.sample({.every = 10, .consecutive = consecutive});
  const LaunchResult estimate = part.run();
  CHECK(part.wrong() == 0);
  REQUIRE(estimate.completed);
  REQUIRE(estimate.sample);
  CHECK(estimate.sample->whole == (200'000 + block - 1) / block);
  CHECK(estimate.sample->simulated < estimate.sample->whole / 9);
  CHECK(static_cast<double>(estimate.cycles()) == Approx(static_cast<double>(exact.cycles())).epsilon(0.06));
  CHECK(estimate.simulated_cycles() < exact.cycles() / 5);
  CHECK(static_cast<double>(estimate.instructions.thread_instructions) ==
        Approx(static_cast<double>(exact.instructions.thread_instructions)).epsilon(0.01));
}

TEST_CASE("launches of a sampling session that are too small run in full", "[sampling]") {
  const LaunchResult exact = Saxpy(10'000).run();
  Saxpy part(10'000);
  part.session.sample({.every = 10});
  const LaunchResult same = part.run();
  CHECK_FALSE(same.sample);
  CHECK(same.in_full == "a sample has 7 blocks, and needs 48");
  CHECK(same.cycles() == exact.cycles());
  CHECK(part.wrong() == 0);
}

TEST_CASE("runs of one launch are estimated together", "[sampling]") {
  Saxpy part(200'000);
  part.session.sample({.every = 10});
  LaunchResult sum = part.run();
  const Cycle once = sum.cycles();
  const LaunchResult again = part.run();
  sum += again;
  REQUIRE(sum.sample);
  CHECK(sum.cycles() == once + again.cycles());
  CHECK(sum.sample->estimates.size() == 2);
  CHECK(sum.sample->batches == 2 * again.sample->batches);
}

TEST_CASE("a machine without SMs takes no samples", "[sampling]") {
  Session session("functional");
  CHECK_THROWS_WITH(session.sample({.every = 2}), Catch::Contains("has no SMs"));
}

TEST_CASE("a sample can be stopped in either part", "[sampling]") {
  const std::uint64_t most = GENERATE(20, 1000);  // blocks: stops in the timed part, and in the other part
  Saxpy part(400'000);
  part.session.sample({.every = 10});
  const std::vector<float> numbers(part.count);
  const DeviceAddress x = part.session.upload<float>("x", numbers);
  const Launch launch = make_launch(part.program, {(part.count + block - 1) / block}, {block},
                                    std::vector<Argument>{2.0F, x, x, part.count});
  std::uint64_t last = 0;
  const LaunchResult result = part.session.run(launch, [&](const LaunchProgress& progress) {
    CHECK(progress.blocks == 3125);
    CHECK(progress.blocks_ended >= last);
    last = progress.blocks_ended;
    return progress.blocks_ended < most;
  });
  CHECK_FALSE(result.completed);
}

TEST_CASE("kernels whose blocks may read values of other blocks run in full", "[sampling]") {
  CHECK(reason_for("atom.global.add.u32 %r1, [%d1], 1;").find("may read what another block writes") !=
        std::string::npos);
  CHECK(reason_for("ld.volatile.global.u32 %r1, [%d1];").find("line 10 ") == 0);
  CHECK(reason_for("ld.acquire.gpu.global.u32 %r1, [%d1];") != "");
  CHECK(reason_for("red.global.add.u32 [%d1], 1;") == "");
  CHECK(reason_for("atom.shared.add.u32 %r1, [s], 1;") == "");
  CHECK(reason_for("ld.global.u32 %r1, [%d1];\nst.global.u32 [%d1], %r1;") == "");
}

TEST_CASE("a sample has as many consecutive blocks as the machine runs at once", "[sampling]") {
  CHECK(sampling::selection_of({.every = 10}, 16).period == 160);
  CHECK(sampling::selection_of({.every = 10}, 16).length == 16);
  CHECK(sampling::selection_of({.every = 3, .consecutive = 2}, 16).period == 6);
  CHECK(sampling::selection_of({.every = 3}, 0).length == 1);
}

}  // namespace reconverge
