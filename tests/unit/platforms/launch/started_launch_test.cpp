// SPDX-License-Identifier: Apache-2.0
/// Launches that do not block: they run while a simulation with other active modules lets time pass.

#include <algorithm>
#include <array>
#include <catch2/catch.hpp>
#include <exception>
#include <optional>

#include "models/core/simulation_context.hpp"
#include "platforms/machines/gpu/gpu_kind.hpp"
#include "platforms/systemc.hpp"
#include "tests/unit/core/temporary_folder.hpp"

using namespace reconverge;

namespace {

const std::string kernels = RECONVERGE_SOURCE_DIR "/platforms/kernels/";

/// A module that is always active.
struct Timer : sc_core::sc_module {
  SC_HAS_PROCESS(Timer);
  explicit Timer(sc_core::sc_module_name name) : sc_module(name) { SC_THREAD(tick); }
  void tick() {
    for (;; ++ticks) wait(10, sc_core::SC_NS);
  }
  std::uint64_t ticks = 0;
};

/// Starts a saxpy of 1,000 elements on the GPU at a time, and again when it has ended; then stops the simulation.
struct Host : sc_core::sc_module {
  SC_HAS_PROCESS(Host);
  Host(sc_core::sc_module_name name, Gpu& on, sc_core::sc_time at)
      : sc_module(name), gpu(on), begin(at), saxpy(kernel::load_program(kernels + "saxpy.ptx", "saxpy")) {
    SC_THREAD(run);
  }
  void run() {
    const std::vector<float> ones(1000, 1.0F);
    const DeviceAddress x = gpu.memory().upload<float>("x", std::span(ones));
    const DeviceAddress y = gpu.memory().upload<float>("y", std::span(ones));
    const std::array<Argument, 4> arguments{2.0F, x, y, 1000U};
    wait(begin);
    for (int i = 0; i < 2; ++i) {
      gpu.start(make_launch(saxpy, {4}, {256}, arguments));
      const sc_core::sc_time started = sc_core::sc_time_stamp();
      wait(gpu.done());
      gpu.check();
      times.push_back(sc_core::sc_time_stamp() - started);
    }
    last = gpu.memory().view_as<float>(y).back();
    ended = true;
  }

  Gpu& gpu;
  sc_core::sc_time begin;
  kernel::Program saxpy;
  std::vector<sc_core::sc_time> times;  // of the launches
  float last = 0;
  bool ended = false;
};

GpuParameters small_gpu() {
  GpuParameters parameters;
  parameters.sms = 2;
  return parameters;
}

/// Lets time pass until all hosts have ended; fails after a millisecond.
void simulate(std::initializer_list<const Host*> hosts) {
  const auto all_ended = [&] { return std::ranges::all_of(hosts, [](const Host* host) { return host->ended; }); };
  while (!all_ended()) {
    sc_core::sc_start(10, sc_core::SC_US);
    REQUIRE(sc_core::sc_time_stamp() < sc_core::sc_time(1, sc_core::SC_MS));
  }
}

/// Runs a saxpy of 1,000 elements, and checks its result.
void check_saxpy(Gpu& gpu) {
  const kernel::Program saxpy = kernel::load_program(kernels + "saxpy.ptx", "saxpy");
  const std::vector<float> ones(1000, 1.0F);
  const DeviceAddress x = gpu.memory().upload<float>("x", std::span(ones));
  const DeviceAddress y = gpu.memory().upload<float>("y", std::span(ones));
  const std::array<Argument, 4> arguments{2.0F, x, y, 1000U};
  gpu.start(make_launch(saxpy, {4}, {256}, arguments));
  while (gpu.running()) sc_core::sc_start(1, sc_core::SC_US);
  CHECK_NOTHROW(gpu.check());
  const auto result = gpu.memory().view_as<float>(y);
  CHECK(std::ranges::count(result, 3.0F) == 1000);
}

/// Each thread adds to its word, for ever; after `turns` turns it goes on at an address without a buffer.
constexpr const char* goes_on = R"(.version 6.5
.target sm_70
.address_size 64
.visible .entry goes_on(.param .u64 x, .param .u32 turns)
{
  .reg .pred %p<2>;
  .reg .b32 %r<6>;
  .reg .b64 %rd<3>;
  ld.param.u64 %rd1, [x];
  ld.param.u32 %r1, [turns];
  mov.u32 %r2, %ctaid.x;
  mov.u32 %r3, %tid.x;
  mad.lo.u32 %r2, %r2, 256, %r3;
  mul.wide.u32 %rd2, %r2, 4;
  add.u64 %rd1, %rd1, %rd2;
AGAIN:
  ld.global.u32 %r4, [%rd1];
  add.u32 %r4, %r4, %r3;
  st.global.u32 [%rd1], %r4;
  and.b32 %r5, %r4, 1;
  setp.eq.u32 %p1, %r5, 0;
  @%p1 bra EVEN;
  atom.global.add.u32 %r4, [%rd1], 1;
EVEN:
  sub.u32 %r1, %r1, 1;
  setp.ne.u32 %p1, %r1, 0;
  @%p1 bra AGAIN;
  ld.global.u32 %r4, [%rd1+268435456];
  st.global.u32 [%rd1], %r4;
  ret;
}
)";

constexpr const char* waits_for_ever = R"(.version 6.5
.target sm_70
.address_size 64
.visible .entry waits()
{
  bar.sync 0, 64;
  ret;
}
)";

}  // namespace

TEST_CASE("a launch ends although another module is always active") {
  const SimulationContext context;
  Gpu gpu("gpu", small_gpu());
  const Timer timer("timer");
  const Host host("host", gpu, sc_core::sc_time(123'457, sc_core::SC_FS));
  simulate({&host});
  CHECK(host.last == 5);
  CHECK(timer.ticks > 100);
  CHECK_FALSE(gpu.running());
}

TEST_CASE("a started launch takes the cycles of a launch that blocks") {
  std::uint64_t cycles = 0;
  {
    launch::Session session("timed", small_gpu());
    const kernel::Program& saxpy = session.load(kernels + "saxpy.ptx", "saxpy");
    const std::vector<float> ones(1000, 1.0F);
    const DeviceAddress x = session.upload<float>("x", std::span(ones));
    const DeviceAddress y = session.upload<float>("y", std::span(ones));
    for (int i = 0; i < 2; ++i) cycles += session.run(saxpy, {4}, {256}, {2.0F, x, y, 1000U}).cycles();
  }
  const SimulationContext context;
  Gpu gpu("gpu", small_gpu());
  const Timer timer("timer");
  const Host host("host", gpu, sc_core::SC_ZERO_TIME);
  simulate({&host});
  CHECK(gpu_machine().cycles(gpu.totals()) == cycles);
}

TEST_CASE("a launch that blocks ends although another module is always active") {
  const SimulationContext context;
  Gpu gpu("gpu", small_gpu());
  const Timer timer("timer");
  const kernel::Program saxpy = kernel::load_program(kernels + "saxpy.ptx", "saxpy");
  const DeviceAddress y = gpu.memory().allocate("y", 4);
  const std::array<Argument, 4> arguments{1.0F, y, y, 1U};
  CHECK(gpu.run(make_launch(saxpy, {1}, {32}, arguments)));
  CHECK(timer.ticks > 10);
}

TEST_CASE("several GPUs run at the same time, each as if it were the only one") {
  const auto times_of = [](bool with_other) {
    const SimulationContext context;
    Gpu gpu("gpu", small_gpu());
    const Host host("host", gpu, sc_core::sc_time(1, sc_core::SC_US));
    std::unique_ptr<Gpu> other;
    std::unique_ptr<Host> other_host;
    if (with_other) {
      GpuParameters parameters = small_gpu();
      parameters.memory = GpuMemory::fixed_latency;
      other = std::make_unique<Gpu>("other", parameters);
      other_host = std::make_unique<Host>("other_host", *other, sc_core::sc_time(1'200, sc_core::SC_NS));
    }
    simulate({&host});
    if (other_host) simulate({other_host.get()});
    CHECK((!other_host || other_host->last == 5));
    return host.times;
  };
  CHECK(times_of(false) == times_of(true));
}

TEST_CASE("a deadlock is reported to the host although another module is always active") {
  const SimulationContext context;
  const tests::TemporaryFolder place;
  const std::string file = place.write("waits.ptx", waits_for_ever);
  const kernel::Program waits = kernel::load_program(file, "waits");
  Gpu gpu("gpu", small_gpu());
  const Timer timer("timer");
  gpu.start(make_launch(waits, {1}, {32}, {}));
  while (gpu.running()) sc_core::sc_start(1, sc_core::SC_US);
  CHECK_THROWS_WITH(gpu.check(), Catch::Contains("kernel 'waits' is in a deadlock"));
  check_saxpy(gpu);
}

TEST_CASE("after a launch was aborted or failed, the next one runs on any scheme and memory") {
  const SimulationContext context;
  const tests::TemporaryFolder place;
  const std::string file = place.write("goes_on.ptx", goes_on);
  const kernel::Program program = kernel::load_program(file, "goes_on");
  GpuParameters parameters = small_gpu();
  parameters.sm.scheme = {GENERATE(as<std::string>{}, "reconvergence_stack", "mimd", "thread_block_compaction",
                                   "convergence_barrier", "subwarp_interleaving", "dynamic_microkernel")};
  parameters.memory = GENERATE(GpuMemory::hierarchy, GpuMemory::fixed_latency);
  Gpu gpu("gpu", parameters);
  const Timer timer("timer");
  const std::vector<std::uint32_t> zeros(4096);
  const DeviceAddress x = gpu.memory().upload<std::uint32_t>("x", std::span(zeros));
  for (int i = 0; i < 2; ++i) {
    CAPTURE(parameters.sm.scheme, i);
    // Aborted while it loads and stores.
    gpu.start(make_launch(program, {16}, {256}, std::array<Argument, 2>{x, 0xffff'ffffU}));
    sc_core::sc_start(7'531, sc_core::SC_NS);
    REQUIRE(gpu.running());
    gpu.abort();
    gpu.abort();  // no effect
    while (gpu.running()) sc_core::sc_start(100, sc_core::SC_NS);
    CHECK_THROWS_WITH(gpu.check(), Catch::Contains("aborted"));
    check_saxpy(gpu);
    // After some turns, threads leave the buffer.
    gpu.start(make_launch(program, {16}, {256}, std::array<Argument, 2>{x, 50U}));
    while (gpu.running()) sc_core::sc_start(1, sc_core::SC_US);
    CHECK_THROWS_WITH(gpu.check(), Catch::Contains("goes_on.ptx:"));
    check_saxpy(gpu);
  }
}

TEST_CASE("a launch that cannot start leaves the GPU ready, and two launches at a time are refused") {
  const SimulationContext context;
  const kernel::Program saxpy = kernel::load_program(kernels + "saxpy.ptx", "saxpy");
  Gpu gpu("gpu", small_gpu());
  const DeviceAddress y = gpu.memory().allocate("y", 4);
  const std::array<Argument, 4> arguments{1.0F, y, y, 1U};
  Launch large = make_launch(saxpy, {1}, {1024}, arguments);
  large.dynamic_shared_bytes = 1U << 30U;
  CHECK_THROWS_AS(gpu.start(large), InputError);
  CHECK_FALSE(gpu.running());
  gpu.start(make_launch(saxpy, {1}, {32}, arguments));
  CHECK_THROWS_WITH(gpu.start(make_launch(saxpy, {1}, {32}, arguments)), Catch::Contains("has not ended"));
  CHECK_THROWS_WITH(gpu.run(make_launch(saxpy, {1}, {32}, arguments)), Catch::Contains("has not ended"));
  sc_core::sc_start(100, sc_core::SC_US);
  CHECK_FALSE(gpu.running());
  CHECK_NOTHROW(gpu.check());
}

TEST_CASE("a program may end before the GPU, and another one take its address") {
  const SimulationContext context;
  GpuParameters parameters;
  parameters.sms = 1;
  Gpu gpu("gpu", parameters);
  const std::vector<float> ones(32, 1.0F);
  const DeviceAddress x = gpu.memory().upload<float>("x", std::span(ones));
  const DeviceAddress y = gpu.memory().upload<float>("y", std::span(ones));
  std::optional<kernel::Program> program = kernel::load_program(kernels + "saxpy.ptx", "saxpy");
  const kernel::Program* const address = &*program;
  const std::array<Argument, 4> sum{2.0F, x, y, 32U};
  CHECK(gpu.run(make_launch(*program, {1}, {32}, sum)));
  CHECK(gpu.memory().view_as<float>(y).back() == 3);

  const tests::TemporaryFolder folder;
  const std::string file = folder.write("store.ptx", R"(.version 6.0
.target sm_35
.address_size 64
.visible .entry store(.param .u64 y) {
  .reg .b64 %rd<2>;
  .reg .b32 %r<2>;
  ld.param.u64 %rd1, [y];
  mov.u32 %r1, 7;
  st.global.u32 [%rd1], %r1;
  ret;
}
)");
  program.emplace(kernel::load_program(file, "store"));
  REQUIRE(&*program == address);
  const std::array<Argument, 1> to{y};
  CHECK(gpu.run(make_launch(*program, {1}, {32}, to)));
  CHECK(gpu.memory().view_as<std::uint32_t>(y).front() == 7);
}
