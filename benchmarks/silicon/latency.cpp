// SPDX-License-Identifier: Apache-2.0
// Chains of dependent instructions in one warp, and independent instructions of many warps.

#include <fmt/format.h>

#include "benchmarks/silicon/timed_kernel.hpp"

namespace reconverge::silicon {

namespace {

/// An instruction that reads its own previous result as first source. `$` stands for the register of the chain. The
/// kernel computes the other operands from numbers that the compiler does not know.
struct Operation {
  std::string name;
  std::string line;
  char file = 'r';  ///< of registers: r, d, f, g
};

const std::vector<Operation>& operations() {
  static const std::vector<Operation> all = {
      {"xor.b32 and add.u32", "xor.b32 $, $, %r60;\n  add.u32 $, $, %r61;"},
      {"mul.lo.u32", "mul.lo.u32 $, $, %r60;"},
      {"mad.lo.u32", "mad.lo.u32 $, $, %r60, %r61;"},
      {"mul.hi.u32", "mul.hi.u32 $, $, %r60;"},
      {"shf.l.wrap.b32", "shf.l.wrap.b32 $, $, %r61, %r60;"},
      {"min.s32 and xor.b32", "min.s32 $, $, %r60;\n  xor.b32 $, $, %r61;"},
      {"prmt.b32", "prmt.b32 $, $, %r61, %r60;"},
      {"sad.u32", "sad.u32 $, $, %r60, %r61;"},
      {"popc.b32", "popc.b32 $, $;"},
      {"bfind.u32 and add.u32", "bfind.u32 $, $;\n  add.u32 $, $, %r61;"},
      {"clz.b32", "clz.b32 $, $;"},
      {"brev.b32", "brev.b32 $, $;"},
      {"div.u32", "div.u32 $, $, %r60;"},
      {"rem.u32", "rem.u32 $, $, %r60;"},
      {"div.s32", "div.s32 $, $, %r60;"},
      {"add.u64", "add.u64 $, $, %d60;", 'd'},
      {"mul.lo.u64", "mul.lo.u64 $, $, %d60;", 'd'},
      {"add.rn.f32", "add.rn.f32 $, $, %f30;", 'f'},
      {"mul.rn.f32", "mul.rn.f32 $, $, %f31;", 'f'},
      {"fma.rn.f32", "fma.rn.f32 $, $, %f30, %f31;", 'f'},
      {"min.f32 and add.rn.f32", "min.f32 $, $, %f30;\n  add.rn.f32 $, $, %f31;", 'f'},
      {"div.rn.f32", "div.rn.f32 $, $, %f31;", 'f'},
      {"sqrt.rn.f32", "sqrt.rn.f32 $, $;", 'f'},
      {"rcp.rn.f32 and add.rn.f32", "rcp.rn.f32 $, $;\n  add.rn.f32 $, $, %f30;", 'f'},
      {"rcp.approx.ftz.f32 and add.rn.f32", "rcp.approx.ftz.f32 $, $;\n  add.rn.f32 $, $, %f30;", 'f'},
      {"rsqrt.approx.ftz.f32", "rsqrt.approx.ftz.f32 $, $;", 'f'},
      {"sqrt.approx.ftz.f32", "sqrt.approx.ftz.f32 $, $;", 'f'},
      {"sin.approx.ftz.f32", "sin.approx.ftz.f32 $, $;", 'f'},
      {"ex2.approx.ftz.f32", "ex2.approx.ftz.f32 $, $;", 'f'},
      {"lg2.approx.ftz.f32", "lg2.approx.ftz.f32 $, $;", 'f'},
      {"fma.rn.f16x2", "fma.rn.f16x2 $, $, %r60, %r61;"},
      {"add.rn.f16x2", "add.rn.f16x2 $, $, %r60;"},
      {"add.rn.f64", "add.rn.f64 $, $, %g14;", 'g'},
      {"mul.rn.f64", "mul.rn.f64 $, $, %g15;", 'g'},
      {"fma.rn.f64", "fma.rn.f64 $, $, %g14, %g15;", 'g'},
      {"div.rn.f64", "div.rn.f64 $, $, %g15;", 'g'},
      {"rcp.rn.f64 and add.rn.f64", "rcp.rn.f64 $, $;\n  add.rn.f64 $, $, %g14;", 'g'},
      {"sqrt.rn.f64", "sqrt.rn.f64 $, $;", 'g'},
      {"setp.lt.f64, selp.b32 and cvt.rn.f64.u32",
       "setp.lt.f64 %p30, $, %g15;\n  selp.b32 %r59, %r60, %r61, %p30;\n  cvt.rn.f64.u32 $, %r59;", 'g'},
      {"cvt.rn.f32.u32, add.rn.f32 and cvt.rzi.u32.f32",
       "cvt.rn.f32.u32 %f29, $;\n  add.rn.f32 %f29, %f29, %f30;\n  cvt.rzi.u32.f32 $, %f29;"},
      {"lop3.b32", "lop3.b32 $, $, %r60, %r61, 0x96;"},
      {"setp.lt.u32 and selp.b32", "setp.lt.u32 %p30, $, %r61;\n  selp.b32 $, %r60, %r61, %p30;"},
      {"shfl.sync.idx.b32", "shfl.sync.idx.b32 $, $, $, 0x1f, 0xffffffff;"},
      {"shfl.sync.bfly.b32", "shfl.sync.bfly.b32 $, $, 1, 0x1f, 0xffffffff;"},
      {"setp.lt.u32 and vote.sync.ballot.b32",
       "setp.lt.u32 %p30, $, %r61;\n  vote.sync.ballot.b32 $, %p30, 0xffffffff;"},
      {"match.any.sync.b32", "match.any.sync.b32 $, $, 0xffffffff;"},
      {"bar.warp.sync and mad.lo.u32", "bar.warp.sync 0xffffffff;\n  mad.lo.u32 $, $, %r60, %r61;"},
  };
  return all;
}

constexpr std::string_view operands = R"(
  add.u32 %r60, %one, 4;
  add.u32 %r61, %one, 0x3210;
  cvt.u64.u32 %d60, %r60;
  cvt.rn.f32.u32 %f30, %r60;
  cvt.rn.f32.u32 %f31, %one;
  mov.f32 %f29, %f31;
  cvt.rn.f64.u32 %g14, %r60;
  cvt.rn.f64.u32 %g15, %one;
)";

std::string with_register(const std::string& line, char file, unsigned number) {
  std::string text = "  " + line + "\n";
  const std::string name = fmt::format("%{}{}", file, number);
  for (std::size_t at = text.find('$'); at != std::string::npos; at = text.find('$')) text.replace(at, 1, name);
  return text;
}

std::string begin(char file, unsigned number) {
  switch (file) {
    case 'd':
      return fmt::format("  cvt.u64.u32 %d{}, %index;\n", number);
    case 'f':
      return fmt::format("  cvt.rn.f32.u32 %f{0}, %index;\n  add.f32 %f{0}, %f{0}, {1}.0;\n", number, number + 1);
    case 'g':
      return fmt::format("  cvt.rn.f64.u32 %g{0}, %index;\n  add.f64 %g{0}, %g{0}, {1}.0;\n", number, number + 1);
    default:
      return fmt::format("  add.u32 %r{}, %index, {};\n", number, number);
  }
}

/// Adds the register to %d63.
std::string finish(char file, unsigned number) {
  switch (file) {
    case 'd':
      return fmt::format("  add.u64 %d63, %d63, %d{};\n", number);
    case 'f':
      return fmt::format("  cvt.rzi.u64.f32 %d62, %f{};\n  add.u64 %d63, %d63, %d62;\n", number);
    case 'g':
      return fmt::format("  cvt.rzi.u64.f64 %d62, %g{};\n  add.u64 %d63, %d63, %d62;\n", number);
    default:
      return fmt::format("  cvt.u64.u32 %d62, %r{};\n  add.u64 %d63, %d63, %d62;\n", number);
  }
}

}  // namespace

std::vector<Measurement> latencies() {
  std::vector<Measurement> all;
  for (const Operation& each : operations()) {
    TimedKernel kernel;
    kernel.setup = std::string(operands) + begin(each.file, 0);
    kernel.keep = finish(each.file, 0);
    all.push_back(cost_of_copy("latency", each.name, kernel, with_register(each.line, each.file, 0)));
  }
  for (const unsigned warps : {1U, 2U, 4U, 8U, 16U, 32U}) {
    TimedKernel kernel;
    kernel.threads = 32 * warps;
    all.push_back(cost_of_copy("latency", fmt::format("bar.sync of {} warps", warps), kernel, "  bar.sync 0;\n"));
  }
  return all;
}

std::vector<Measurement> throughputs() {
  std::vector<Measurement> all;
  constexpr unsigned warps = 32;
  constexpr unsigned chains = 8;
  for (const Operation& each : operations()) {
    // Its threads wait for each other, or it is made of several instructions.
    if (each.name.starts_with("bar") || each.name.find(" and ") != std::string::npos) continue;
    TimedKernel kernel;
    kernel.threads = 32 * warps;
    kernel.setup = operands;
    std::string piece;
    for (unsigned i = 0; i < chains; ++i) {
      kernel.setup += begin(each.file, i);
      piece += with_register(each.line, each.file, i);
      kernel.keep += finish(each.file, i);
    }
    Measurement one = cost_of_copy("throughput", each.name, kernel, piece, 2, 6);
    one.unit = "operations per cycle and SM";
    one.values = [cost = one.values](std::span<const device::Buffers> after) {
      return std::vector<double>{32.0 * warps * chains / cost(after).front()};
    };
    all.push_back(std::move(one));
  }
  return all;
}

}  // namespace reconverge::silicon
