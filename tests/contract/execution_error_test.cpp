// SPDX-License-Identifier: Apache-2.0
// Faulty programs: every machine stops and reports where.

#include <fmt/format.h>

#include <catch2/catch.hpp>
#include <cstring>
#include <functional>

#include "models/core/error.hpp"
#include "platforms/machines/gpu/gpu.hpp"
#include "testbenches/contract/kernels.hpp"
#include "testbenches/contract/waiting_cases.hpp"

namespace reconverge::contract {
namespace {

using Run = std::function<void(const Case&)>;

struct Machine {
  const char* name;
  Run run;
};

void run_scheme(const Case& test_case, std::string_view scheme) {
  run_timed(test_case, parameters_of(shapes().front(), scheme, test_case));
}

const Machine machines[] = {
    {"scalar interpreter", [](const Case& test_case) { run_scalar(test_case, 100'000); }},
    {"functional machine", [](const Case& test_case) { run_functional(test_case); }},
    {"reconvergence stack", [](const Case& test_case) { run_scheme(test_case, "reconvergence_stack"); }},
    {"mimd", [](const Case& test_case) { run_scheme(test_case, "mimd"); }},
    {"thread block compaction", [](const Case& test_case) { run_scheme(test_case, "thread_block_compaction"); }},
};

std::string failure_of(const Machine& machine, const Case& test_case) {
  try {
    machine.run(test_case);
  } catch (const ExecutionError& error) {
    return error.what();
  }
  return "no failure";
}

/// The launch ends after the GPU has checked several times for progress.
void check_long_run(const Case& test_case, std::string_view scheme) {
  const TimedOutcome run = run_timed(test_case, parameters_of(shapes().front(), scheme, test_case));
  CHECK(run.totals.of<GpuStatistics>().cycles > 4 * Gpu::patience);
}

/// Checks that all machines stop and that each message contains all of `parts`.
void check_failure(const Case& test_case, const std::vector<std::string>& parts) {
  for (const Machine& machine : machines) {
    INFO(machine.name << ": " << test_case.name);
    const std::string message = failure_of(machine, test_case);
    for (const std::string& part : parts) CHECK_THAT(message, Catch::Contains(part));
  }
}

/// Number of lines of the module that make_case puts before `body`.
std::string line_of(const Case& test_case, std::string_view text) {
  const auto& program = test_case.program;
  for (kernel::Pc pc = 0; pc < program.instructions.size(); ++pc) {
    if (program.text[pc].find(text) != std::string::npos) return kernel::place_of(program, pc) + ":";
  }
  return "no such line";
}

}  // namespace

TEST_CASE("accesses outside memory stop every machine") {
  const Case outside = make_case("outside", "add.u64 %rd0, %out, 1000000; ld.global.u32 %r0, [%rd0];", {1}, {32});
  check_failure(outside, {line_of(outside, "ld.global.u32 %r0"), "kernel"});
  const Case misaligned = make_case("misaligned", "add.u64 %rd0, %out, 2; st.global.u32 [%rd0], %x;", {1}, {32});
  check_failure(misaligned, {line_of(misaligned, "st.global.u32"), "misaligned"});
  const Case shared =
      make_case("shared", "mov.u32 %r0, 64; ld.shared.u32 %r1, [%r0];", {1}, {32}, ".shared .u32 a[4];");
  check_failure(shared, {line_of(shared, "ld.shared.u32")});
  const Case null = make_case("null", "mov.u32 %r0, 0; ld.global.u32 %r1, [%r0];", {1}, {32});
  check_failure(null, {line_of(null, "ld.global.u32 %r1")});
  const Case reserved = make_case("reserved", "mov.u32 %r0, %aggr_smem_size; ld.shared.u32 %r1, [%r0+-1040];", {1},
                                  {32}, ".shared .u32 a[4];");
  check_failure(reserved, {line_of(reserved, "ld.shared.u32")});
}

TEST_CASE("messages name the source line if there is one") {
  const Case located = make_case("located", ".loc 1 42 7\nmov.u64 %rd0, 0;\nld.global.u32 %r0, [%rd0];", {1}, {32}, {},
                                 ".file 1 \"kernel.cu\"\n");
  check_failure(located, {"(kernel.cu:42)"});
}

TEST_CASE("recursion without end overflows the stack") {
  const Case deep = make_case("deep", "call (%r0), down, (%x);", {1}, {32}, {},
                              R"(
.func (.reg .u32 %r) down(.reg .u32 %n)
{ add.u32 %n, %n, 1; call (%r), down, (%n); add.u32 %r, %r, %n; ret; })");
  check_failure(deep, {"kernel 'kernel'"});
  INFO(failure_of(machines[1], deep));
  CHECK_THAT(failure_of(machines[1], deep), Catch::Contains("stack overflow"));
}

TEST_CASE("calls of non-functions and jumps beyond a table are refused") {
  const Case wild = make_case("wild", R"(
  cvt.u64.u32 %rd0, %x;
  p : .callprototype _ ();
  call %rd0, p;)",
                              {1}, {32});
  check_failure(wild, {line_of(wild, "call %rd0"), "which is no function"});
  const Case beyond =
      make_case("beyond", "or.b32 %r0, %x, 4;\nT: .branchtargets A, B;\nbrx.idx %r0, T;\nA: ret;\nB: ret;", {1}, {32});
  check_failure(beyond, {line_of(beyond, "brx.idx"), "table"});
}

TEST_CASE("barriers that not all threads reach, or that do not exist") {
  const Case half = make_case("half", R"(
  setp.lt.u32 %p0, %thread, 40;
  @%p0 bar.sync 0;
  @!%p0 bar.sync 1;)",
                              {1}, {64});
  for (const Machine& machine : machines) CHECK(failure_of(machine, half) != "no failure");
  const Case missing = make_case("missing", "bar.sync 2, 128;", {1}, {64});
  check_failure(missing, {"kernel 'kernel'", "deadlock"});
  const Case odd = make_case("odd", "mov.u32 %r0, 33; bar.sync 2, %r0;", {1}, {64});
  check_failure(odd, {line_of(odd, "bar.sync 2"), "33 threads"});
  const Case sixteen = make_case("sixteen", "mov.u32 %r0, 16; bar.sync %r0;", {1}, {64});
  check_failure(sixteen, {line_of(sixteen, "bar.sync %r0"), "barrier 16 does not exist"});
}

TEST_CASE("an exchange with lanes that never arrive is an error") {
  const Case votes = make_case("votes", R"(
  setp.lt.u32 %p0, %lane, 7;
  @!%p0 bra LATE;
  vote.sync.any.pred %p1, %p0, -1;
  ret;
LATE:
  bar.warp.sync -1;
  ret;)",
                               {1}, {32});
  for (const Machine& machine : machines) {
    INFO(machine.name);
    CHECK(failure_of(machine, votes) != "no failure");
  }
}

TEST_CASE("a matrix instruction that not all lanes of a warp reach is an error") {
  constexpr std::string_view multiply =
      "mma.sync.aligned.m8n8k16.row.col.s32.s8.s8.s32 {%r0, %r1}, {%x}, {%x}, {%r2, %r3};";
  const std::string branch =
      fmt::format("  setp.lt.u32 %p0, %lane, 20;\n  @!%p0 bra END;\n  {}\nEND:\n  ret;", multiply);
  const Case gone = make_case("lanes that returned", branch, {1}, {32});
  for (const Machine& machine : machines) {
    INFO(machine.name);
    CHECK_THAT(failure_of(machine, gone), Catch::Contains(line_of(gone, "mma.sync")));
  }
  const Case half = make_case("half a warp", fmt::format("  {}\n  ret;", multiply), {1}, {48});
  for (const Machine& machine : machines) {
    if (&machine == machines) continue;
    INFO(machine.name);
    CHECK_THAT(failure_of(machine, half),
               Catch::Contains("'mma' wants all 32 lanes of a warp, and 16 are here, in kernel "
                               "'kernel' (block 0, warp 1)"));
  }
}

TEST_CASE("an invalid mbarrier or one with too many arrivals is an error") {
  constexpr std::string_view gate = ".shared .align 8 .b64 gate;";
  const auto check = [&](std::string_view body, const std::string& line, const std::string& what) {
    const Case wrong = make_case("mbarrier", fmt::format("{}\n  ret;", body), {1}, {1}, gate);
    check_failure(wrong, {line_of(wrong, line), what});
  };
  check("  mbarrier.arrive.shared.b64 %rd0, [gate];", "mbarrier.arrive", "an mbarrier that is not initialised");
  check("  mbarrier.init.shared.b64 [gate], 0;", "mbarrier.init", "an mbarrier expects 1 to 2^20 - 1 arrivals");
  check("  mbarrier.init.shared.b64 [gate], 2;\n  mbarrier.arrive.shared.b64 %rd0, [gate], 3;", "mbarrier.arrive",
        "more arrivals than the mbarrier waits for");
  check("  mbarrier.arrive.b64 %rd0, [%slice];", "mbarrier.arrive", "an mbarrier that is not in shared memory");
}

TEST_CASE("a lock whose holder waits for the threads that spin on it") {
  // Threads of one warp take a lock in a loop for the lock only. Under the stack, the thread that holds it waits at the
  // end of that loop for the others forever. If threads have separate paths, it does not (El Tantawy and Aamodt 2016,
  // 2.2).
  const Case spinlock = lock_in_loop();
  const auto increments = [&](const Outcome& outcome) {
    std::uint32_t count = 0;
    std::memcpy(&count, outcome.memory.data() + spinlock.output_bytes + 4, 4);
    return count;
  };
  CHECK(increments(run_scalar(spinlock)) == 128);
  CHECK(increments(run_timed(spinlock, parameters_of(shapes().front(), "mimd", spinlock))) == 128);
  for (const Machine& machine : {machines[1], machines[2]}) {
    INFO(machine.name);
    const std::string message = failure_of(machine, spinlock);
    for (const std::string& part :
         {std::string("kernel 'kernel' is in a livelock"), std::string(" lanes 0xfffffffe at "),
          std::string("lanes 0x00000001 are elsewhere and wait for them"), line_of(spinlock, "ld.volatile")}) {
      CHECK_THAT(message, Catch::Contains(part.substr(0, part.find_last_not_of(':') + 1)));
    }
  }
}

TEST_CASE("unoptimised code waits for a flag that no thread sets") {
  const Case flag = make_case("flag", R"(
  mov.u64 %rd0, tries;
AGAIN:
  ld.volatile.global.u32 %r0, [%sums];
  st.local.u32 [%rd0], %r0;
  ld.local.u32 %r1, [%rd0];
  setp.eq.u32 %p0, %r1, 0;
  @%p0 bra AGAIN;
  ret;)",
                              {3}, {96}, ".local .u32 tries;");
  for (const Machine& machine : machines) {
    INFO(machine.name);
    const std::string message = failure_of(machine, flag);
    if (&machine == machines) {
      CHECK_THAT(message, Catch::Contains("endless loop"));
    } else {
      CHECK_THAT(message, Catch::Contains("is in a livelock") && Catch::Contains("block 0 warp 2"));
    }
  }
}

TEST_CASE("a livelock of independent threads names the position of each") {
  const Case two = make_case("two flags", R"(
  setp.lt.u32 %p0, %lane, 16;
  @%p0 bra LOW;
HIGH:
  ld.volatile.global.u32 %r0, [%sums];
  setp.eq.u32 %p1, %r0, 0;
  @%p1 bra HIGH;
  bra END;
LOW:
  ld.volatile.global.u32 %r0, [%sums+4];
  setp.eq.u32 %p1, %r0, 0;
  @%p1 bra LOW;
END:
  ret;)",
                             {1}, {32});
  const std::string message = failure_of(machines[3], two);
  CHECK_THAT(message, Catch::Contains("is in a livelock") && Catch::Contains(" lanes 0xffff0000 at ") &&
                          Catch::Contains("; lanes 0x0000ffff at "));
}

TEST_CASE("long loops that end are no circles") {
  // Memory does not change for a long time: the rounds are counted in a register, or only in local memory.
  const auto in_register = [](unsigned rounds) {
    return make_case("register",
                     fmt::format(R"(
  mov.u32 %r0, 0;
AGAIN:
  add.u32 %r0, %r0, 1;
  setp.lt.u32 %p0, %r0, {};
  @%p0 bra AGAIN;
  st.global.u32 [%slice], %r0;
  ret;)",
                                 rounds),
                     {1}, {32});
  };
  const auto in_memory = [](unsigned rounds) {
    return make_case("memory",
                     fmt::format(R"(
  mov.u64 %rd0, count;
AGAIN:
  ld.local.u32 %r0, [%rd0];
  add.u32 %r0, %r0, 1;
  st.local.u32 [%rd0], %r0;
  setp.lt.u32 %p0, %r0, {};
  mov.u32 %r0, 0;
  @%p0 bra AGAIN;
  st.global.u32 [%slice], 7;
  ret;)",
                                 rounds),
                     {1}, {32}, ".local .u32 count;");
  };
  CHECK_NOTHROW(run_functional(in_register(600'000)));
  CHECK_NOTHROW(run_functional(in_memory(300'000)));
  for (const std::string_view scheme : {"reconvergence_stack", "mimd"}) {
    INFO(scheme);
    check_long_run(in_register(150'000), scheme);
    check_long_run(in_memory(36'000), scheme);
  }
}

TEST_CASE("warps of waiting threads and of threads that count in local memory are no livelock") {
  // Half the lanes of one warp wait for a flag that the other lanes of the other warp set after they have counted long
  // enough. Compaction makes one warp of them, in the slot of either.
  for (const std::string counts : {"eq", "ne"}) {
    const Case waits = make_case("waits", R"(
  mov.u64 %rd0, count;
  shr.u32 %r1, %thread, 5;
  add.u32 %r0, %r1, %lane;
  and.b32 %r0, %r0, 1;
  setp.ne.u32 %p0, %r0, 0;
  @%p0 bra DONE;
  setp.)" + counts + R"(.u32 %p0, %r1, 0;
  selp.u32 %r1, 1, 0, %p0;
AGAIN:
  ld.local.u32 %r0, [%rd0];
  add.u32 %r0, %r0, %r1;
  st.local.u32 [%rd0], %r0;
  setp.ge.u32 %p0, %r0, 15000;
  mov.u32 %r0, 0;
  @%p0 bra LEAVE;
  ld.volatile.global.u32 %r2, [%sums];
  setp.eq.u32 %p0, %r2, 0;
  @%p0 bra AGAIN;
  bra DONE;
LEAVE:
  st.volatile.global.u32 [%sums], 1;
DONE:
  ret;)",
                                 {1}, {64}, ".local .u32 count;");
    for (const std::string_view scheme : {"reconvergence_stack", "mimd", "thread_block_compaction"}) {
      INFO(scheme << ": " << counts);
      check_long_run(waits, scheme);
    }
  }
}

TEST_CASE("a trap") {
  const Case trap = make_case("trap", "setp.eq.u32 %p0, %lane, 5;\n@%p0 trap;", {1}, {32});
  check_failure(trap, {line_of(trap, "trap"), "trap"});
  for (const Machine& machine : {machines[1], machines[2], machines[3]}) {
    CHECK_THAT(failure_of(machine, trap), Catch::Contains("block 0, warp 0, lane 5"));
  }
}

}  // namespace reconverge::contract
