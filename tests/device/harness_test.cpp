// SPDX-License-Identifier: Apache-2.0
// Tests the harness itself with a stand-in for NVIDIA's driver (fake_driver.cpp): its reports, and the failures that it
// survives.

#include <fmt/format.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "models/kernel/analysis/liveness.hpp"
#include "models/kernel/decode/load_program.hpp"
#include "tests/device/comparison.hpp"
#include "tests/device/definite.hpp"
#include "tests/device/departures.hpp"
#include "tests/device/device_cases.hpp"

namespace reconverge::tests {
namespace {

using Catch::Contains;
using device::Device;

const std::string fake = RECONVERGE_FAKE_DRIVER_LIBRARY;

/// Makes the stand-in fail in this way during the object's lifetime.
class Mode {
 public:
  explicit Mode(const char* mode) { setenv("RECONVERGE_FAKE_DRIVER", mode, 1); }
  ~Mode() { unsetenv("RECONVERGE_FAKE_DRIVER"); }
  Mode(const Mode&) = delete;
  Mode& operator=(const Mode&) = delete;
};

/// All cases agree, and the expected number ran.
void check_equal(const std::vector<DeviceCase>& cases, std::size_t at_least) {
  Device device(fake);
  const Comparison comparison = compare(device, cases);
  CHECK(comparison.failures == std::vector<std::string>());
  CHECK(comparison.equal >= at_least);
}

std::vector<DeviceCase> some_of(std::vector<DeviceCase> cases, std::size_t every) {
  std::vector<DeviceCase> some;
  for (std::size_t i = 0; i < cases.size(); i += every) some.push_back(std::move(cases[i]));
  return some;
}

DeviceCase with_text(DeviceCase one, const std::string& from, const std::string& to) {
  std::string& text = one.job.ptx;
  text.replace(text.find(from), from.size(), to);
  return one;
}

}  // namespace

// The value of an unwritten register depends on the machine. (Random programs initialise every register, and liveness
// is conservative about calls.)
TEST_CASE("our own cases write every register before they read it", "[harness]") {
  for (const auto& cases : {contract_cases(), some_of(operation_cases(), 7)}) {
    for (const DeviceCase& each : cases) {
      INFO(each.job.name);
      const kernel::Program program = kernel::load_program_text(each.job.ptx, each.job.name, each.job.entry);
      const auto accesses = kernel::accesses_of(program);
      if (program.functions.size() > 1) continue;
      const auto live = kernel::compute_liveness(program.blocks, accesses, program.register_rows + program.predicates);
      CHECK(live.live_in.front().none());
    }
  }
}

// The stand-in's buffers have different addresses in each run: a case that depended on addresses would fail.
TEST_CASE("every suite passes on a device that is right", "[harness]") {
  check_equal(kernel_cases(), 10);
  check_equal(nvcc_cases(), 38);
  check_equal(contract_cases(), 55);
  check_equal(some_of(operation_cases(), 7), 700);
  check_equal(random_cases(1, 40), 40);
}

TEST_CASE("a single wrong bit is found in every case", "[harness]") {
  const Mode mode("flip");
  Device device(fake);
  for (const auto& cases :
       {kernel_cases(), nvcc_cases(), contract_cases(), some_of(operation_cases(), 97), random_cases(1, 10)}) {
    const Comparison comparison = compare(device, cases);
    CHECK(comparison.equal == 0);
    REQUIRE(comparison.failures.size() > 9);
    CHECK_THAT(comparison.failures.front(), Contains(cases.front().job.name + ": ") && Contains("expected"));
  }
}

TEST_CASE("a GPU may deviate slightly only in approximations of a corpus program", "[harness]") {
  for (const DeviceCase& each : nvcc_cases()) {
    if (each.job.entry != "approximations") continue;
    const device::Buffers expected = device::run_here(each.job);
    const auto with_steps = [&](std::size_t word, int steps) {
      device::Buffers found = expected;
      std::uint32_t bits = 0;
      std::memcpy(&bits, found[1].data() + 4 * word, 4);
      bits += static_cast<std::uint32_t>(steps);
      std::memcpy(found[1].data() + 4 * word, &bits, 4);
      return each.difference(expected, found);
    };
    CHECK(with_steps(0, 0).empty());
    CHECK_FALSE(with_steps(0, 1).empty());  // an operand
    CHECK(with_steps(2, 1).empty());        // a reciprocal
    CHECK_FALSE(with_steps(2, 2).empty());
    CHECK(with_steps(16 * 77 + 10, -2).empty());  // a quotient
    CHECK_FALSE(with_steps(16 * 77 + 10, -3).empty());
    return;
  }
  FAIL("no such program");
}

TEST_CASE("a machine without driver or device is a reason to skip", "[harness]") {
  CHECK_THROWS_WITH(Device("no_such_library.so"), Contains("no NVIDIA driver here") && Contains("no_such_library.so"));
  CHECK_THROWS_WITH(Device("libm.so.6"), Contains("libm.so.6 has no cuInit"));
  {
    const Mode mode("no_driver");
    CHECK_THROWS_AS(Device(fake), device::Unavailable);
    CHECK_THROWS_WITH(Device(fake), "cuInit says CUDA_ERROR_NO_DEVICE: says the stand-in");
  }
  const Mode mode("no_device");
  CHECK_THROWS_WITH(Device(fake), "the driver knows no device");
}

TEST_CASE("driver errors are reported in its words and the next job runs", "[harness]") {
  Device device(fake);
  DeviceCase good = kernel_cases().front();
  const DeviceCase bad = with_text(good, "fma.rn.f32", "frobnicate.f32");
  CHECK_THROWS_WITH(device.run(bad.job),
                    Contains("cuModuleLoadDataEx: CUDA_ERROR_INVALID_PTX") && Contains("frobnicate"));
  DeviceCase debug = good;
  debug.job.ptx.replace(debug.job.ptx.find(".target sm_60"), 13, ".target sm_60, debug");
  CHECK(good.difference(device::run_here(good.job), device.run(debug.job)).empty());
  device.set_optimisation(4);
  CHECK_THROWS_WITH(device.run(debug.job), Contains("Optimized debugging not supported"));
  device.set_optimisation({});
  DeviceCase nameless = good;
  nameless.job.entry = "nobody";
  CHECK_THROWS_WITH(device.run(nameless.job), Contains("cuModuleGetFunction nobody: CUDA_ERROR_NOT_FOUND"));
  {
    const Mode mode("fault");
    CHECK_THROWS_WITH(device.run(good.job), Contains("the kernel: CUDA_ERROR_LAUNCH_FAILED"));
  }
  CHECK(good.difference(device::run_here(good.job), device.run(good.job)).empty());
}

TEST_CASE("a kernel that does not end ends the comparison", "[harness]") {
  Device device(fake);
  const DeviceCase one = kernel_cases().front();
  {
    const Mode mode("endless");
    CHECK_THROWS_WITH(device.run(one.job, std::chrono::milliseconds(2)), Contains("saxpy still runs after 2 ms"));
  }
  const Comparison comparison = compare(device, {one, one});
  CHECK(comparison.equal == 0);
  REQUIRE(comparison.failures.size() == 1);
  CHECK_THAT(comparison.failures.front(), Contains("an earlier kernel still runs"));
}

TEST_CASE("known departures of NVIDIA's compiler are left out and their neighbours are not", "[harness]") {
  for (const char* const line : {
           "  @%p1 testp.normal.f32 %p0, %f0;",
           "  @!%p1 set.gtu.f32.f32 %f0, %f1, %f2;",
           "  st.v2.f32 [%at1+32], {%v0, %v1};",
           "  @%p1 bfi.b32 %r7, %r1, %r1, 1, 128;",
           "  vsub.u32.u32.u32 %r4.h1, %r0.b2, %r1, %r2;",
           "  vsub.u32.s32.u32.sat %r4.b1, %r0.b1, %r1.b2, %r2;",
           "  vset.s32.u32.eq.min %r4, %r0.b0, %r1.b1, %r2;",
           "  vadd.u32.u32.u32.sat.add %r4, %r0, %r1.h1, %r2;",
           "  vsub.u32.u32.u32.min %r4, %r0.h0, %r1, %r2;",
           "  vadd.u32.u32.s32.sat.min %r4, %r0.b1, %r1, %r2;",
           "  vmad.u32.u32.u32.po.shr7 %r4, %r0, %r1, %r2;",
           "  vmad.s32.u32.s32.sat %r4, %r0, -%r1.b0, %r2;",
       }) {
    INFO(line);
    CHECK_FALSE(departure(line).empty());
    const std::string definite = made_definite(std::string(line) + "\n");
    CHECK((definite.empty() || definite == "  @%p1 bfi.b32 %r7, %r1, %r1, 1, 31;\n"));
  }
  for (const char* const line : {
           "  testp.normal.f32 %p0, %f0;",
           "  @%p1 set.lt.u32.s32 %r0, %r1, %r2;",
           "  st.v2.f32 [%at1+32], {%f0, %f1};",
           "  red.release.shared.add.noftz.bf16x2 [%i2], %r1;",
           "  bfi.b32 %r7, %r1, %r1, 39, 31;",
           "  bfi.b32 %r7, %r1, %r1, 39, %r32;",
           "  bfi.b64 %d7, %d1, %d1, %r3, 37;",
           "  vsub.u32.u32.u32 %r4.b1, %r0.b2, %r1, %r2;",
           "  vabsdiff.s32.s32.s32.max %r0, %r1, %r2, %r3;",
           "  vshr.s32.s32.u32.sat.wrap %r0, %r1, %r2;",
           "  vset.u32.u32.eq.min %r4, %r0.b0, %r1.b1, %r2;",
           "  vmad.s32.s32.s32.sat.shr7 %r0, %r1.h0, %r2.h1, %r3;",
           "  vmad.u32.u32.u32.po %r4, %r0, %r1, %r2;",
       }) {
    INFO(line);
    CHECK(departure(line).empty());
  }
}

TEST_CASE("random programs avoid known faults of the optimiser", "[harness]") {
  const auto definite = [](const std::string& line) { return made_definite("  " + line + "\n"); };
  CHECK(definite("@!%p2 bra ELSE_1;") == "  xor.pred %open, %p2, %never;\n  @!%open bra ELSE_1;\n");
  CHECK(definite("@%p0 brx.idx %t1, TABLE_6;") == "  xor.pred %open, %p0, %never;\n  @%open brx.idx %t1, TABLE_6;\n");
  CHECK(definite("@%p3 exit;") == "  xor.pred %open, %p3, %never;\n  @%open exit;\n");
  CHECK(definite("@%v1 redux.sync.add.s32 %r1, %r7, 0xffffffff;") == "  redux.sync.add.s32 %r1, %r7, 0xffffffff;\n");
  CHECK(definite("@!%v0 shfl.sync.up.b32 %r6|%p3, %r0, 1, 0, %m1;") ==
        "  mov.b32 %unknown, %r0;\n  @%never mov.u32 %unknown, %laneid;\n"
        "  @!%v0 shfl.sync.up.b32 %r6|%p3, %unknown, 1, 0, %m1;\n");
  for (const char* const same : {"@%q1 bra LOOP_3;", "@%v0 bra.uni END_1;", "@%p1 add.u32 %r1, %r2, %r3;"}) {
    CHECK(definite(same) == fmt::format("  {}\n", same));
  }
  const std::string entry = made_definite(".visible .entry kernel(.param .u64 input, .param .u64 output)\n{\n}\n");
  CHECK_THAT(entry, Contains("ld.param.b64 %address, [output];\n  setp.eq.b64 %never, %address, 0;\n"));
  CHECK_THAT(made_definite(".func f0(.param .b64 slice, .param .b64 sums)\n{\n}\n"), Contains("[slice];\n"));
  CHECK_THAT(made_definite(".func f0(.reg .b64 %slice)\n{\n}\n"), Contains("  setp.eq.b64 %never, %slice, 0;\n"));
}

TEST_CASE("a pair of halves that is added in shared memory is loaded as a word", "[harness]") {
  unsigned pairs = 0;
  for (const DeviceCase& each : operation_cases()) {
    const std::size_t add = each.job.ptx.find(".add.noftz.");
    if (add == std::string::npos) continue;
    const std::string around = each.job.ptx.substr(add - 120, 160);
    const bool is_pair = around.find("f16x2") != std::string::npos && around.find(".shared") != std::string::npos;
    INFO(each.job.name);
    CHECK((around.find("ld.global.b32 %r1, [%at3];\n") != std::string::npos) == is_pair);
    pairs += is_pair ? 1 : 0;
  }
  CHECK(pairs == 8);
}

TEST_CASE("results that a device need not agree about are skipped and counted", "[harness]") {
  Device device(fake);
  const DeviceCase one = kernel_cases().front();
  const DeviceCase later = with_text(one, ".target sm_60", ".target sm_120");
  DeviceCase any = later;
  any.for_any_target = true;
  const DeviceCase where = with_text(one, "%tid.x", "%smid");
  DeviceCase other = one;
  other.departure = "a departure";
  const Comparison comparison = compare(device, {one, later, any, where, other});
  CHECK(comparison.failures == std::vector<std::string>());
  CHECK(comparison.summary() ==
        "2 equal, 0 not; 1 left out (%smid is the machine's own); 1 left out (a departure); 1 left out (for sm_120 and "
        "later)");

  CHECK(device::depends_on_machine("mov.u64 %rd1, %clock64;") == "%clock is the machine's own");
  CHECK(device::depends_on_machine("mov.u32 %r1, %smids;").empty());
  CHECK(device::depends_on_machine(".target sm_70\nvote.ballot.b32 %r1, %p1;")
            .starts_with("vote.ballot names no members"));
  CHECK(device::depends_on_machine(".target sm_50\nvote.ballot.b32 %r1, %p1;").empty());
  CHECK(device::depends_on_machine(".target sm_70\nvote.sync.ballot.b32 %r1, %p1, -1;").empty());
  CHECK(device::target_of(".version 6.4\n.target sm_75, debug\n") == 75);
  CHECK(device::target_of("") == 0);
}

TEST_CASE("random_on_device shrinks what differs, what ends the driver and what does not end", "[harness]") {
  const auto folder = std::filesystem::temp_directory_path() / fmt::format("reconverge_on_device_{}", getpid());
  setenv("RECONVERGE_CUDA_DRIVER", fake.c_str(), 1);
  const auto fails = [&](const std::string& arguments) {
    std::filesystem::remove_all(folder);
    const std::string command =
        fmt::format("{} many {} --folder {} > /dev/null", RECONVERGE_RANDOM_ON_DEVICE, arguments, folder.string());
    return std::system(command.c_str()) != 0;
  };
  const auto text_of = [&](const std::string& file) {
    std::ifstream stream(folder / file);
    return std::string(std::istreambuf_iterator<char>(stream), {});
  };
  CHECK_FALSE(fails("1 20"));
  {
    const Mode mode("flip");
    CHECK(fails("1 1 --tries 100"));
    CHECK_THAT(text_of("seed_1.txt"), Contains("the smaller program: 1 words differ"));
    CHECK(text_of("seed_1.ptx").size() < 400);
  }
  {
    const Mode mode("crash");
    CHECK(fails("13 1 --crash-tries 300"));
    CHECK_THAT(text_of("seed_13.txt"), Contains("seed 13 crashed") && Contains("signal 9"));
    CHECK_THAT(text_of("seed_13.ptx"), Contains("popc."));
    CHECK(text_of("seed_13.ptx").size() < 1500);
  }
  {
    const Mode mode("endless");
    CHECK(fails("5 3 --patience 1 --crash-tries 100 --most-failures 2"));
    for (const int seed : {5, 6}) {
      CHECK_THAT(text_of(fmt::format("seed_{}.txt", seed)),
                 Contains(fmt::format("seed {0} does not end\ndoes not end; the smaller program", seed)));
      CHECK(text_of(fmt::format("seed_{}.ptx", seed)).size() < 400);
    }
    CHECK(text_of("seed_7.txt").empty());
  }
  std::filesystem::remove_all(folder);
  unsetenv("RECONVERGE_CUDA_DRIVER");
}

}  // namespace reconverge::tests
