// SPDX-License-Identifier: Apache-2.0
// Measures the front end on modules of 10,000 lines, from text to programs, and the analyses on kernels with thousands
// of branches or loops, in milliseconds of processor time. Prints one JSON object a line for each figure.

#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <functional>
#include <random>
#include <string>
#include <vector>

#include "benchmarks/line_reporter.hpp"
#include "models/kernel/analysis/convergence_barriers.hpp"
#include "models/kernel/analysis/divergence_analysis.hpp"
#include "models/kernel/analysis/loops.hpp"
#include "models/kernel/decode/load_program.hpp"
#include "models/kernel/partition/partition.hpp"
#include "models/kernel/streams/streaming_graph.hpp"

namespace reconverge {
namespace {

constexpr unsigned lines = 10'000;

std::string module_of(const std::string& kernels) {
  return ".version 7.0\n.target sm_70\n.address_size 64\n" + kernels;
}

std::string kernel_of(const std::string& name, unsigned registers, const std::string& body) {
  return fmt::format(
      ".visible .entry {}(.param .u64 p)\n{{\n.reg .pred %p<{}>; .reg .b32 %r<{}>; .reg .b64 %rd<3>;\n"
      "ld.param.u64 %rd1, [p];\n{}ret;\n}}\n",
      name, registers, registers, body);
}

/// Straight-line arithmetic in ifs and loops, nested up to `depth`; every value has its own register.
class NestedBody {
 public:
  explicit NestedBody(unsigned wanted) : wanted_(wanted) {
    for (unsigned i = 0; i < live_; ++i) emit(fmt::format("mov.u32 %r{}, %tid.x;", i));
  }

  std::string text() {
    while (lines_ < wanted_) construct(12);
    for (unsigned i = 0; i < live_; ++i) emit(fmt::format("st.global.u32 [%rd1+{}], %r{};", 4 * i, recent()));
    return text_;
  }

 private:
  void emit(const std::string& line) {
    text_ += line + "\n";
    ++lines_;
  }
  std::uint32_t recent() { return next_ - 1 - static_cast<std::uint32_t>(random_() % live_); }

  void construct(unsigned depth) {
    for (unsigned i = 0; i < 8; ++i) {
      const std::uint32_t a = recent();
      const std::uint32_t b = recent();
      emit(fmt::format("add.u32 %r{}, %r{}, %r{};", next_++, a, b));
    }
    if (depth == 0 || lines_ >= wanted_) return;
    const unsigned label = labels_++;
    const std::string jump = fmt::format("setp.lt.u32 %p{}, %r{}, 7;\n@%p{} bra L{};", label, recent(), label, label);
    const bool loop = random_() % 2 == 0;
    emit(loop ? fmt::format("L{}:", label) : jump);
    construct(depth - 1);
    emit(loop ? jump : fmt::format("L{}:", label));
  }

  static constexpr std::uint32_t live_ = 32;
  unsigned wanted_;
  unsigned lines_ = 0;
  unsigned labels_ = 0;
  std::uint32_t next_ = live_;
  std::mt19937 random_{1};
  std::string text_;
};

std::string one_large_kernel() { return module_of(kernel_of("k", 2 * lines, NestedBody(lines).text())); }

std::string many_small_kernels() {
  std::string kernels;
  for (unsigned i = 0; i < 100; ++i)
    kernels += kernel_of(fmt::format("k{}", i), 2 * lines, NestedBody(lines / 100).text());
  return module_of(kernels);
}

/// The output of a compiler without optimisation: every value goes through local memory.
std::string local_traffic() {
  std::string body = ".local .align 4 .b8 depot[4096];\n";
  std::mt19937 random(2);
  for (unsigned i = 0; i < lines / 3; ++i) {
    body +=
        fmt::format("ld.local.u32 %r{0}, [depot+{2}];\nadd.s32 %r{1}, %r{0}, 1;\nst.local.u32 [depot+{3}], %r{1};\n",
                    2 * i, 2 * i + 1, random() % 1024 * 4, random() % 1024 * 4);
  }
  return module_of(kernel_of("k", lines, body));
}

/// Thousands of registers that are all live at once.
std::string all_alive() {
  std::string body;
  for (unsigned i = 0; i < lines / 2; ++i) body += fmt::format("ld.global.u32 %r{}, [%rd1+{}];\n", i, 4 * i);
  for (unsigned i = lines / 2; i-- > 0;) body += fmt::format("st.global.u32 [%rd1+{}], %r{};\n", 4 * i, i);
  return module_of(kernel_of("k", lines, body));
}

constexpr unsigned constructs = 4000;  // ifs or loops of a kernel, or kernels of a module

std::string empty_kernels() {
  std::string kernels;
  for (unsigned i = 0; i < constructs; ++i) kernels += fmt::format(".visible .entry k{}()\n{{\nret;\n}}\n", i);
  return module_of(kernels);
}

std::string ifs(bool nested) {
  std::string head = "mov.u32 %r1, %tid.x;\n";
  std::string tail;
  for (unsigned i = 0; i < constructs; ++i) {
    head += fmt::format("setp.lt.u32 %p1, %r1, {};\n@%p1 bra L{};\nadd.u32 %r1, %r1, 1;\n", i, i);
    const std::string end = fmt::format("L{}: add.u32 %r1, %r1, 3;\n", i);
    if (nested)
      tail.insert(0, end);
    else
      head += end;
  }
  return module_of(kernel_of("k", 4, head + tail + "st.global.u32 [%rd1], %r1;\n"));
}

std::string nested_loops() {
  std::string head = "mov.u32 %r1, %tid.x;\n";
  std::string tail;
  for (unsigned i = 0; i < constructs; ++i) {
    head += fmt::format("L{}: add.u32 %r1, %r1, 1;\n", i);
    tail.insert(0, fmt::format("setp.lt.u32 %p1, %r1, {};\n@%p1 bra L{};\n", i, i));
  }
  return module_of(kernel_of("k", 4, head + tail + "st.global.u32 [%rd1], %r1;\n"));
}

void load_all(benchmark::State& state, const std::string& text) {
  for (auto iteration : state) {
    (void)iteration;
    const kernel::KernelModule module(text, "module.ptx");
    for (const std::string& name : module.entries()) benchmark::DoNotOptimize(module.load(name));
  }
}

using Analysis = void (*)(const kernel::Program& program);

void analyse(benchmark::State& state, const std::string& text, Analysis analysis) {
  const kernel::Program program = kernel::load_program_text(text, "module.ptx", "k");
  for (auto iteration : state) {
    (void)iteration;
    analysis(program);
  }
}

void place_barriers(const kernel::Program& program) {
  benchmark::DoNotOptimize(place_convergence_barriers(program, analyse_divergence(program)));
}
void make_stream(const kernel::Program& program) { benchmark::DoNotOptimize(make_streaming_graph(program, {})); }
void make_passes(const kernel::Program& program) { benchmark::DoNotOptimize(make_partition(program, {})); }
void find_all_loops(const kernel::Program& program) { benchmark::DoNotOptimize(kernel::find_loops(program.blocks)); }

}  // namespace
}  // namespace reconverge

int main(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  const auto register_one = [](const std::string& name, const std::function<void(benchmark::State&)>& run) {
    benchmark::RegisterBenchmark(name.c_str(), run)
        ->Unit(benchmark::kMillisecond)
        ->Repetitions(3)
        ->ReportAggregatesOnly();
  };
  const auto add = [&](const char* name, const std::string& text) {
    register_one(name, [text](benchmark::State& state) { reconverge::load_all(state, text); });
  };
  const auto add_analysis = [&](const char* name, const std::string& text, reconverge::Analysis analysis) {
    register_one(name, [=](benchmark::State& state) { reconverge::analyse(state, text, analysis); });
  };
  add("compile.one_large_kernel", reconverge::one_large_kernel());
  add("compile.many_small_kernels", reconverge::many_small_kernels());
  add("compile.local_traffic", reconverge::local_traffic());
  add("compile.all_alive", reconverge::all_alive());
  add("compile.empty_kernels", reconverge::empty_kernels());
  add_analysis("barriers.ifs", reconverge::ifs(false), &reconverge::place_barriers);
  add_analysis("barriers.nested_ifs", reconverge::ifs(true), &reconverge::place_barriers);
  add_analysis("stream.ifs", reconverge::ifs(false), &reconverge::make_stream);
  add_analysis("passes.ifs", reconverge::ifs(false), &reconverge::make_passes);
  add_analysis("stream.nested_loops", reconverge::nested_loops(), &reconverge::make_stream);
  add_analysis("passes.nested_loops", reconverge::nested_loops(), &reconverge::make_passes);
  add_analysis("loops.nested_loops", reconverge::nested_loops(), &reconverge::find_all_loops);
  reconverge::LineReporter reporter("ms", [](const auto& run) { return run.GetAdjustedCPUTime(); });
  benchmark::RunSpecifiedBenchmarks(&reporter);
  return 0;
}
