// SPDX-License-Identifier: Apache-2.0
/// Launches through the C++ interface.

#include "platforms/launch/session.hpp"

#include <catch2/catch.hpp>

#include "models/core/error.hpp"
#include "tests/unit/core/temporary_folder.hpp"
#include "tests/unit/platforms/launch/plan_of.hpp"

using namespace reconverge;
using launch::LaunchResult;
using launch::Session;

namespace {

const std::string kernels = RECONVERGE_SOURCE_DIR "/platforms/kernels/";

}  // namespace

TEST_CASE("a kernel has the same result on both machines and under both schemes") {
  GpuParameters gpu;
  gpu.sm.scheme = {GENERATE("reconvergence_stack", "mimd", "thread_block_compaction")};
  const std::string machine = GENERATE(as<std::string>{}, "timed", "functional");
  Session session(machine, gpu);
  const kernel::Program& saxpy = session.load(kernels + "saxpy.ptx");
  const std::vector<float> host_x{1, 2, 3};
  const DeviceAddress x = session.upload<float>("x", host_x);
  const DeviceAddress y = session.allocate<float>("y", 3);
  for (int i = 0; i < 2; ++i) {
    const LaunchResult result = session.run(saxpy, {1}, {32}, {2.0F, x, y, 3U});
    CHECK(result.completed);
    CHECK(result.instructions.thread_instructions > 3);
    CHECK((result.cycles() != 0) == (machine == "timed"));
    CHECK(result.counters.has_value() == (machine == "timed"));
  }
  CHECK(session.download<float>(y) == std::vector<float>{4, 8, 12});
}

TEST_CASE("sessions may be consecutive or nested") {
  Session outer("timed");
  CHECK_THROWS_AS(outer.load(kernels + "reduce.ptx", "reduce"), InputError);
  {
    Session inner("timed");
    const kernel::Program& saxpy = inner.load(kernels + "saxpy.ptx");
    const DeviceAddress y = inner.allocate<float>("y", 1);
    CHECK(inner.run(saxpy, {1}, {1}, {1.0F, y, y, 1U}).completed);
  }
  const kernel::Program& saxpy = outer.load(kernels + "saxpy.ptx");
  const DeviceAddress y = outer.allocate<float>("y", 1);
  CHECK(outer.run(saxpy, {1}, {1}, {1.0F, y, y, 1U}).completed);
}

TEST_CASE("a wrong number or size of arguments, and invalid accesses, are reported") {
  Session session("functional");
  const kernel::Program& saxpy = session.load(kernels + "saxpy.ptx");
  CHECK_THROWS_AS(session.run(saxpy, {1}, {32}, {2.0F}), InputError);
  CHECK_THROWS_WITH(
      session.run(saxpy, {1U << 30U, 1U << 15U, 1U << 15U}, {1024}, {2.0F, DeviceAddress{8}, DeviceAddress{8}, 3U}),
      Catch::Contains("at most 2^44 threads"));
  CHECK_THROWS_AS(session.run(saxpy, {1}, {32}, {2.0, 8, 8, 3U}), InputError);
  CHECK_THROWS_AS(session.run(saxpy, {1}, {32}, {2.0F, DeviceAddress{8}, DeviceAddress{8}, 3U}), ExecutionError);
}

TEST_CASE("an endless launch can be stopped on both machines") {
  const tests::TemporaryFolder place;
  const std::string endless =
      place.write("endless.ptx",
                  ".version 5.0\n.target sm_60\n.address_size 64\n.visible .entry endless()\n{\n"
                  "  .reg .b32 %r<2>;\n  .reg .pred %p<2>;\n  mov.u32 %r1, %tid.x;\n"
                  "again:\n  setp.lt.u32 %p1, %r1, 2000;\n  @%p1 bra again;\n  ret;\n}\n");
  Session session(GENERATE("timed", "functional"));
  const Launch launch = make_launch(session.load(endless), {1}, {32}, {});
  int asked = 0;
  CHECK_FALSE(session.run(launch, [&](const LaunchProgress&) { return ++asked < 3; }).completed);
  CHECK(asked == 3);
}

TEST_CASE("a platform is read from its file, and the command line changes it") {
  const std::string file = RECONVERGE_SOURCE_DIR "/yaml/platforms/gtx780.yaml";
  CHECK(launch::load_platform(file).sms == 15);
  const std::vector<std::string> overrides{"gpu.sms=2", "gpu.sm.scheme=mimd"};
  const GpuParameters gpu = launch::load_platform(file, overrides);
  CHECK(gpu.sms == 2);
  CHECK(gpu.sm.scheme == std::vector<std::string>{"mimd"});
}

TEST_CASE("printed text of a kernel is in the result, or goes to the launch's sink") {
  const tests::TemporaryFolder place;
  place.write("talk.ptx", R"(.version 6.5
.target sm_75
.address_size 64
.extern .func (.param .b32 count) vprintf (.param .b64 format, .param .b64 arguments);
.global .b8 format[] = {104, 105, 10, 0};
.visible .entry talk() {
  .reg .b64 %rd<3>;
  .reg .b32 %r<2>;
  mov.u64 %rd1, format;
  mov.u64 %rd2, 0;
  call (%r1), vprintf, (%rd1, %rd2);
  ret;
}
)");
  Session session(GENERATE("timed", "functional"));
  const kernel::Program& talk = session.load(place.path() / "talk.ptx");
  CHECK(session.run(talk, {2}, {1}, {}).printed == "hi\nhi\n");
  Launch launch = make_launch(talk, {1}, {3}, {});
  std::string heard;
  launch.print = [&](std::string_view text) { heard += text; };
  CHECK(session.run(launch).printed.empty());
  CHECK(heard == "hi\nhi\nhi\n");
}

TEST_CASE("variables of a module are written and read by name") {
  const tests::TemporaryFolder place;
  const std::string file = place.write("variables.ptx", tests::variables_ptx);
  Session session(GENERATE("timed", "functional"));
  const kernel::Program& count = session.load(file);
  const DeviceAddress out = session.allocate<float>("out", 1);
  const std::vector<float> weights{1, 2, 3};
  session.write_variable<float>(count, "weights", weights);
  session.run(count, {2}, {32}, {out});
  CHECK(session.download<float>(out) == std::vector<float>{3});
  CHECK(session.read_variable<std::uint32_t>(count, "misses") == std::vector<std::uint32_t>{71});
  CHECK(session.read_variable<float>(count, "weights") == weights);
  // This variable points to another one, and no kernel uses it.
  CHECK(session.read_variable<std::uint64_t>(count, "where").front() == session.variable(count, "misses"));
  session.write_variable<std::uint32_t>(count, "misses", std::vector<std::uint32_t>{0});
  session.run(count, {1}, {1}, {out});
  CHECK(session.read_variable<std::uint32_t>(count, "misses").front() == 1);

  const auto refusal = [&](auto&& action) -> std::string {
    try {
      action();
    } catch (const InputError& error) {
      return error.what();
    }
    return "accepted";
  };
  CHECK_THAT(
      refusal([&] { session.variable(count, "weight"); }),
      Catch::Contains("variables.ptx: no variable 'weight' in global or constant memory; did you mean weights?"));
  CHECK_THAT(refusal([&] { session.variable(count, "cell"); }), Catch::Contains("no variable 'cell'"));
  CHECK_THAT(refusal([&] { session.variable(count, "image"); }), Catch::Contains("no variable 'image'"));
  CHECK_THAT(refusal([&] { session.write_variable<float>(count, "weights", std::vector<float>{1}); }),
             Catch::Contains("variable 'weights' has 12 bytes, the host's values have 4"));
  CHECK_THAT(refusal([&] { session.read_variable<double>(count, "weights"); }), Catch::Contains("has 12 bytes"));
}
