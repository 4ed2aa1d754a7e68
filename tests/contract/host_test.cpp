// SPDX-License-Identifier: Apache-2.0
// Host functions for kernels (printf, assert, malloc, free) on the interpreter, the untimed machine and the GPU.

#include <fmt/format.h>

#include <array>
#include <catch2/catch.hpp>
#include <functional>

#include "models/core/error.hpp"
#include "models/core/simulation_context.hpp"
#include "models/execution/device_heap.hpp"
#include "models/kernel/decode/load_program.hpp"
#include "platforms/machines/functional/functional_machine.hpp"
#include "platforms/machines/gpu/gpu.hpp"
#include "testbenches/reference/scalar_interpreter.hpp"

namespace reconverge::contract {

namespace {

constexpr std::uint32_t threads = 32;

// `body` has the thread in %r0 and the output in %rd0.
std::string kernel_text(std::string_view body, std::string_view declarations = {}) {
  return fmt::format(R"(
.version 6.5
.target sm_75
.address_size 64
.extern .func (.param .b32 r) vprintf (.param .b64 a, .param .b64 b);
.extern .func __assertfail (.param .b64 a, .param .b64 b, .param .b32 c, .param .b64 d, .param .b64 e);
.extern .func (.param .b64 r) malloc (.param .b64 a);
.extern .func free (.param .b64 a);
{}
.visible .entry kernel(.param .u64 output)
{{
  .local .align 8 .b8 list[64];
  .reg .b32 %r<8>;
  .reg .b64 %rd<8>;
  .reg .f64 %f<4>;
  .reg .pred %p<4>;
  ld.param.u64 %rd0, [output];
  mov.u32 %r0, %tid.x;
  mul.wide.u32 %rd1, %r0, 4;
  add.u64 %rd0, %rd0, %rd1;
  {}
  ret;
}}
)",
                     declarations, body);
}

struct Outcome {
  std::vector<std::string> printed;
  std::vector<std::uint32_t> output;
};

struct Machine {
  const char* name;
  std::function<Outcome(const kernel::Program&)> run;
};

template <typename Run>
Outcome outcome_of(const kernel::Program& program, DeviceMemory& memory, Run&& run) {
  Outcome outcome;
  const DeviceAddress output = memory.allocate("output", threads * 4);
  const std::array<Argument, 1> arguments{output};
  Launch launch = make_launch(program, {1}, {threads}, arguments);
  launch.print = [&](std::string_view text) { outcome.printed.emplace_back(text); };
  run(launch);
  const auto words = memory.view_as<std::uint32_t>(output);
  outcome.output.assign(words.begin(), words.end());
  return outcome;
}

Outcome run_timed(const kernel::Program& program, std::string_view scheme) {
  const SimulationContext context;
  GpuParameters parameters;
  parameters.sm.scheme = {std::string(scheme)};
  Gpu gpu("gpu", parameters);
  return outcome_of(program, gpu.memory(), [&](const Launch& launch) { gpu.run(launch); });
}

const Machine machines[] = {
    {"scalar interpreter",
     [](const kernel::Program& program) {
       ScalarInterpreter machine;
       return outcome_of(program, machine.memory(), [&](const Launch& launch) { machine.run(launch); });
     }},
    {"functional machine",
     [](const kernel::Program& program) {
       FunctionalMachine machine;
       return outcome_of(program, machine.memory(), [&](const Launch& launch) { machine.run(launch); });
     }},
    {"reconvergence stack", [](const kernel::Program& program) { return run_timed(program, "reconvergence_stack"); }},
    {"mimd", [](const kernel::Program& program) { return run_timed(program, "mimd"); }},
    {"thread block compaction",
     [](const kernel::Program& program) { return run_timed(program, "thread_block_compaction"); }},
};

std::string bytes_of(std::string_view text) {
  std::string list;
  for (const char one : text) list += fmt::format("{}, ", static_cast<unsigned char>(one));
  return list + "0";
}

/// Thread 5 prints `format` with the arguments that `store` puts into `list`; vprintf's result goes to the output.
std::string print_text(std::string_view format, std::string_view store) {
  return kernel_text(fmt::format(R"(setp.eq.u32 %p0, %r0, 5;
  @!%p0 bra done;
  {}
  mov.u64 %rd1, list;
  cvta.local.u64 %rd1, %rd1;
  {{
  .param .b64 first;
  .param .b64 second;
  .param .b32 count;
  mov.u64 %rd2, format;
  cvta.global.u64 %rd2, %rd2;
  st.param.b64 [first], %rd2;
  st.param.b64 [second], %rd1;
  call.uni (count), vprintf, (first, second);
  ld.param.b32 %r1, [count];
  }}
  st.global.u32 [%rd0], %r1;
done:)",
                                 store),
                     fmt::format(".global .b8 format[] = {{{}}};\n.global .b8 word[] = {{{}}};\n", bytes_of(format),
                                 bytes_of("word")));
}

void check_print(std::string_view format, std::string_view store, const std::string& expected,
                 std::uint32_t arguments) {
  const kernel::Program program = kernel::load_program_text(print_text(format, store), "print.ptx", "kernel");
  for (const Machine& machine : machines) {
    INFO(machine.name << ": " << format);
    const Outcome outcome = machine.run(program);
    CHECK(outcome.printed == std::vector<std::string>{expected});
    CHECK(outcome.output[5] == arguments);
    CHECK(outcome.output[4] == 0);
  }
}

std::string failure_of(const Machine& machine, const kernel::Program& program) {
  try {
    machine.run(program);
  } catch (const ExecutionError& error) {
    return error.what();
  }
  return "no failure";
}

void check_failure(const std::string& text, const std::vector<std::string>& parts) {
  const kernel::Program program = kernel::load_program_text(text, "host.ptx", "kernel");
  for (const Machine& machine : machines) {
    INFO(machine.name);
    for (const std::string& part : parts) CHECK_THAT(failure_of(machine, program), Catch::Contains(part));
  }
}

}  // namespace

TEST_CASE("printf takes integers of all sizes") {
  check_print("no arguments", "", "no arguments", 0);
  check_print("%d|%5u|%-6x|%#o|%+d", R"(st.local.s32 [list], -3; st.local.u32 [list+4], 4294967295;
    st.local.u32 [list+8], 48879; st.local.u32 [list+12], 8; st.local.u32 [list+16], 7;)",
              "-3|4294967295|beef  |010|+7", 5);
  check_print("%d %lld %c %ld", R"(st.local.u32 [list], 1; st.local.s64 [list+8], -5000000000;
    st.local.u32 [list+16], 65; st.local.s64 [list+24], 1099511627776;)",
              "1 -5000000000 A 1099511627776", 4);
  check_print("%hd %hhu %hX", "st.local.u32 [list], 70000; st.local.u32 [list+4], 300; st.local.s32 [list+8], -1;",
              "4464 44 FFFF", 3);
  check_print("[%*d] [%.*d]", R"(st.local.s32 [list], -4; st.local.u32 [list+4], 7; st.local.u32 [list+8], 3;
    st.local.u32 [list+12], 5;)",
              "[7   ] [005]", 4);
}

TEST_CASE("printf takes floats, strings and addresses") {
  check_print("%u %f %.3e %g %a",
              R"(mov.f64 %f0, 0d3ff8000000000000; st.local.u32 [list], 1; st.local.f64 [list+8], %f0;
    st.local.f64 [list+16], %f0; st.local.f64 [list+24], %f0; st.local.f64 [list+32], %f0;)",
              "1 1.500000 1.500e+00 1.5 0x1.8p+0", 5);
  check_print("%s, %.2s, %6s|%-6s|", R"(mov.u64 %rd3, word; st.local.u64 [list], %rd3; st.local.u64 [list+8], %rd3;
    st.local.u64 [list+16], %rd3; st.local.u64 [list+24], %rd3;)",
              "word, wo,   word|word  |", 4);
  check_print("%p %p %s",
              "mov.u64 %rd3, 4660; st.local.u64 [list], %rd3; mov.u64 %rd3, 0; st.local.u64 [list+8], %rd3;\n"
              "st.local.u64 [list+16], %rd3;",
              "0x1234 (nil) (null)", 3);
}

TEST_CASE("printf prints text that is not a conversion unchanged") {
  check_print("100%% %n %5q %", "", "100% %n %5q %", 0);
  check_print("%-", "", "%-", 0);
  check_print("%.99999999999d|", "st.local.u32 [list], 1;", fmt::format("{:0>65535}|", 1), 1);
}

TEST_CASE("printf of a bad address stops the run") {
  check_failure(print_text("%s", "mov.u64 %rd3, 77; st.local.u64 [list], %rd3;"),
                {"host.ptx:", "0x4d", "in kernel 'kernel'"});
  // A 32-bit address extended to 64 bits is not a valid address.
  check_failure(print_text("%s", "mov.u32 %r1, word; cvt.u64.u32 %rd3, %r1; st.local.u64 [list], %rd3;"),
                {"host.ptx:", "0x900"});
}

TEST_CASE("lanes print in order") {
  std::string text = print_text("%u ", "st.local.u32 [list], %r0;");
  text.replace(text.find("@!%p0 bra done;"), 15, "");
  const kernel::Program program = kernel::load_program_text(text, "print.ptx", "kernel");
  std::vector<std::string> expected;
  for (unsigned thread = 0; thread < threads; ++thread) expected.push_back(fmt::format("{} ", thread));
  for (const Machine& machine : machines) {
    INFO(machine.name);
    CHECK(machine.run(program).printed == expected);
  }
}

TEST_CASE("a failed assertion names its expression and place") {
  const std::string text = kernel_text(R"(setp.ne.u32 %p0, %r0, 5;
  @%p0 bra done;
  { .param .b64 a; .param .b64 b; .param .b32 c; .param .b64 d; .param .b64 e;
  mov.u64 %rd1, message; cvta.global.u64 %rd1, %rd1; st.param.b64 [a], %rd1;
  mov.u64 %rd1, file; cvta.global.u64 %rd1, %rd1; st.param.b64 [b], %rd1;
  st.param.b32 [c], 42;
  mov.u64 %rd1, function; cvta.global.u64 %rd1, %rd1; st.param.b64 [d], %rd1;
  st.param.b64 [e], 1;
  call.uni __assertfail, (a, b, c, d, e); }
done:)",
                                       fmt::format(".global .b8 message[] = {{{}}};\n.global .b8 file[] = {{{}}};\n"
                                                   ".global .b8 function[] = {{{}}};\n",
                                                   bytes_of("n != 5"), bytes_of("count.cu"), bytes_of("count(int)")));
  check_failure(text, {"host.ptx:", "assertion 'n != 5' failed (count.cu:42, in 'count(int)') in kernel 'kernel'"});
}

TEST_CASE("kernels allocate and free memory") {
  const std::string text = kernel_text(R"(
  .reg .b64 %own;
  add.u32 %r1, %r0, 100;
  cvt.u64.u32 %rd2, %r1;
  { .param .b64 a; .param .b64 r; st.param.b64 [a], %rd2; call.uni (r), malloc, (a); ld.param.b64 %own, [r]; }
  st.u32 [%own], %r0;
  st.u32 [%own+96], %r1;
  bar.sync 0;
  ld.u32 %r2, [%own];
  ld.u32 %r3, [%own+96];
  mad.lo.u32 %r2, %r3, 1000, %r2;
  { .param .b64 a; st.param.b64 [a], %own; call.uni free, (a); }
  st.global.u32 [%rd0], %r2;)");
  const kernel::Program program = kernel::load_program_text(text, "host.ptx", "kernel");
  for (const Machine& machine : machines) {
    INFO(machine.name);
    const Outcome outcome = machine.run(program);
    for (unsigned thread = 0; thread < threads; ++thread) {
      CHECK(outcome.output[thread] == (thread + 100) * 1000 + thread);
    }
  }
  check_failure(kernel_text("{ .param .b64 a; st.param.b64 [a], %rd0; call.uni free, (a); }"), {"free of 0x"});
}

TEST_CASE("the heap has room again when everything is given back") {
  DeviceHeap heap(4096, 1024);
  CHECK(heap.allocate(2000) == 0);
  CHECK(heap.allocate(~std::uint64_t{0}) == 0);
  std::vector<DeviceAddress> parts;
  for (unsigned i = 0; i < 64; ++i) parts.push_back(heap.allocate(i % 17));
  CHECK(parts.front() == 4096);
  CHECK(parts.back() == 4096 + 1024 - 16);
  CHECK(heap.allocate(1) == 0);
  for (unsigned i = 0; i < 64; ++i) CHECK(heap.release(parts[i * 37 % 64]));
  CHECK_FALSE(heap.release(parts.front()));
  CHECK(heap.allocate(1024) == 4096);
}

TEST_CASE("a call of an undefined function is refused with advice") {
  const auto refusal = [](std::string_view declaration, std::string_view call) {
    try {
      kernel::load_program_text(kernel_text(call, declaration), "host.ptx", "kernel");
    } catch (const InputError& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  CHECK_THAT(refusal(".extern .func foreign();", "call foreign;"), Catch::Contains("link the modules"));
  CHECK_THAT(refusal(".extern .func __nv_sinf();", "call __nv_sinf;"), Catch::Contains("libdevice"));
  CHECK_THAT(refusal(".extern .func cudaLaunchDeviceV2();", "call cudaLaunchDeviceV2;"),
             Catch::Contains("kernels cannot launch kernels"));
  CHECK_THAT(refusal(".extern .func abort();", "call abort;"), Catch::Contains("link the modules"));
}

}  // namespace reconverge::contract
