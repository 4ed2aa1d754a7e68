// SPDX-License-Identifier: Apache-2.0
// Arithmetic, logic, conversions, comparisons.

#include "testbenches/random/operations.hpp"

#include <fmt/format.h>

#include <span>
#include <string_view>

namespace reconverge::random_programs {

namespace {

constexpr std::string_view arithmetic[] = {
    "add.u32 $r, $r, $r",
    "sub.s32 $r, $r, $r",
    "add.sat.s32 $r, $r, $r",
    "mul.lo.u32 $r, $r, $r",
    "mul.hi.s32 $r, $r, $r",
    "mad.lo.s32 $r, $r, $r, $r",
    "mad.hi.u32 $r, $r, $r, $r",
    "mul24.lo.u32 $r, $r, $r",
    "sad.s32 $r, $r, $r, $r",
    "div.u32 $r, $r, $r",
    "rem.s32 $r, $r, $r",
    "min.s32 $r, $r, $r",
    "max.u32 $r, $r, $r",
    "abs.s32 $r, $r",
    "neg.s32 $r, $r",
    "add.u32 $r, $r, ~",
    "xor.b32 $r, $r, ~",
    "and.b32 $r, $r, $r",
    "or.b32 $r, $r, $r",
    "not.b32 $r, $r",
    "cnot.b32 $r, $r",
    "shl.b32 $r, $r, #",
    "shr.u32 $r, $r, $r",
    "shr.s32 $r, $r, #",
    "shf.l.wrap.b32 $r, $r, $r, $r",
    "popc.b32 $r, $r",
    "clz.b32 $r, $r",
    "brev.b32 $r, $r",
    "bfe.u32 $r, $r, #, #",
    "bfe.s32 $r, $r, $r, $r",
    "bfi.b32 $r, $r, $r, #, #",
    "bfind.s32 $r, $r",
    "prmt.b32 $r, $r, $r, $r",
    "lop3.b32 $r, $r, $r, $r, 0x6a",
    "slct.u32.s32 $r, $r, $r, $r",
    "selp.b32 $r, $r, $r, $p",
    "selp.b64 $d, $d, $d, $p",
    "selp.f32 $f, $f, $f, $p",
    "set.lt.u32.s32 $r, $r, $r",
    "set.gtu.f32.f32 $f, $f, $f",
    "mov.b32 $r, $r",
    "mov.b64 $d, $d",
    "add.u64 $d, $d, $d",
    "sub.s64 $d, $d, $d",
    "mul.lo.u64 $d, $d, $d",
    "mul.hi.u64 $d, $d, $d",
    "mad.lo.s64 $d, $d, $d, $d",
    "mul.wide.u32 $d, $r, $r",
    "mul.wide.s32 $d, $r, $r",
    "mad.wide.s32 $d, $r, $r, $d",
    "div.s64 $d, $d, $d",
    "rem.u64 $d, $d, $d",
    "max.s64 $d, $d, $d",
    "xor.b64 $d, $d, $d",
    "shl.b64 $d, $d, #",
    "shr.s64 $d, $d, $r",
    "popc.b64 $r, $d",
    "bfe.s64 $d, $d, #, #",
    "mov.b64 $d, {$r, $r}",
    "mov.b64 {$r, $r}, $d",
    "mov.b32 $r, {$h, $h}",
    "add.u16 $h, $h, $h",
    "mul.lo.s16 $h, $h, $h",
    "mul.wide.s16 $r, $h, $h",
    "shr.s16 $h, $h, #",
    "min.s16 $h, $h, $h",
    "cvt.u16.u32 $h, $r",
    "cvt.s32.s16 $r, $h",
    "cvt.u64.u16 $d, $h",
    "cvt.s64.s32 $d, $r",
    "cvt.u32.u64 $r, $d",
    "cvt.sat.s8.s32 $r, $r",
    "cvt.s32.s8 $r, $r",
    "cvt.rn.f32.s32 $f, $r",
    "cvt.rn.f32.u64 $f, $d",
    "cvt.rzi.s32.f32 $r, $f",
    "cvt.rni.u64.f32 $d, $f",
    "cvt.rn.f64.s64 $g, $d",
    "cvt.rmi.s32.f64 $r, $g",
    "cvt.rn.f32.f64 $f, $g",
    "cvt.f64.f32 $g, $f",
    "cvt.rpi.f32.f32 $f, $f",
    "add.f32 $f, $f, $f",
    "sub.ftz.f32 $f, $f, $f",
    "mul.f32 $f, $f, $f",
    "mul.sat.f32 $f, $f, $f",
    "fma.rn.f32 $f, $f, $f, $f",
    "div.rn.f32 $f, $f, $f",
    "rcp.rn.f32 $f, $f",
    "sqrt.rn.f32 $f, $f",
    "min.f32 $f, $f, $f",
    "max.f32 $f, $f, $f",
    "abs.f32 $f, $f",
    "neg.f32 $f, $f",
    "copysign.f32 $f, $f, $f",
    "add.f64 $g, $g, $g",
    "mul.f64 $g, $g, $g",
    "fma.rn.f64 $g, $g, $g, $g",
    "max.f64 $g, $g, $g",
    "mov.b32 $f, $r",
    "mov.b32 $r, $f",
    "mov.b64 $d, $g",
    "add.rz.f32 $f, $f, $f",
    "fma.rm.ftz.f32 $f, $f, $f, $f",
    "div.rp.f32 $f, $f, $f",
    "sqrt.rz.f64 $g, $g",
    "fma.rp.f64 $g, $g, $g, $g",
    "min.NaN.xorsign.abs.f32 $f, $f, $f",
    "ex2.approx.f32 $f, $f",
    "lg2.approx.ftz.f32 $f, $f",
    "add.f16 $h, $h, $h",
    "fma.rn.relu.f16 $h, $h, $h, $h",
    "mul.sat.f16x2 $r, $r, $r",
    "fma.rn.f16x2 $r, $r, $r, $r",
    "max.NaN.f16x2 $r, $r, $r",
    "fma.rn.bf16x2 $r, $r, $r, $r",
    "sub.bf16 $h, $h, $h",
    "set.lt.f16x2.f16x2 $r, $r, $r",
    "cvt.rn.f16.f32 $h, $f",
    "cvt.f32.f16 $f, $h",
    "cvt.rp.f16.s64 $h, $d",
    "cvt.rn.bf16x2.f32 $r, $f, $f",
    "cvt.rm.f32.s64 $f, $d",
    "add.s16x2 $r, $r, $r",
    "min.relu.s16x2 $r, $r, $r",
    "max.relu.s32 $r, $r, $r",
    "mad24.hi.s32 $r, $r, $r, $r",
    "mad.hi.sat.s32 $r, $r, $r, $r",
    "dp4a.s32.u32 $r, $r, $r, $r",
    "dp2a.hi.u32.s32 $r, $r, $r, $r",
    "sad.u64 $d, $d, $d, $d",
    "sad.s16 $h, $h, $h, $h",
    "div.s16 $h, $h, $h",
    "rem.u16 $h, $h, $h",
    "neg.s64 $d, $d",
    "abs.s64 $d, $d",
    "min.u64 $d, $d, $d",
    "not.b64 $d, $d",
    "cnot.b64 $d, $d",
    "or.b64 $d, $d, $d",
    "clz.b64 $r, $d",
    "brev.b64 $d, $d",
    "bfi.b64 $d, $d, $d, $r, $r",
    "bfe.u64 $d, $d, $r, $r",
    "bfind.u64 $r, $d",
    "bfind.shiftamt.s32 $r, $r",
    "shr.u64 $d, $d, #",
    "shl.b16 $h, $h, $r",
    "shf.r.clamp.b32 $r, $r, $r, $r",
    "shf.l.clamp.b32 $r, $r, $r, #",
    "bmsk.clamp.b32 $r, $r, $r",
    "szext.wrap.s32 $r, $r, $r",
    "fns.b32 $r, $r, 3, 2",
    "prmt.b32.f4e $r, $r, $r, $r",
    "prmt.b32.rc16 $r, $r, $r, $r",
    "prmt.b32 $r, $r, $r, 0x9250",
    "lop3.b32 $r, $r, $r, $r, 0xe8",
    "set.ne.u32.f64 $r, $g, $g",
    "set.hi.and.u32.u32 $r, $r, $r, $p",
    "slct.b64.s32 $d, $d, $d, $r",
    "slct.f32.f32 $f, $f, $f, $f",
    "vadd.s32.u32.s32.sat $r, $r.b0, $r.h1",
    "vsub.u32.s32.u32.add $r, $r.h0, $r.b3, $r",
    "vabsdiff.s32.s32.s32.max $r, $r, $r, $r",
    "vmin.u32.u32.s32 $r, $r.b2, $r",
    "vset.s32.u32.lt.add $r, $r, $r.h1, $r",
    "vshl.u32.u32.u32.clamp $r, $r, $r",
    "vshr.s32.s32.u32.sat.wrap $r, $r, $r",
    "vmad.s32.s32.s32.sat.shr7 $r, $r.h0, $r.h1, $r",
    "sub.f64 $g, $g, $g",
    "div.rn.f64 $g, $g, $g",
    "min.f64 $g, $g, $g",
    "neg.f64 $g, $g",
    "abs.f64 $g, $g",
    "copysign.f64 $g, $g, $g",
    "rcp.rz.f64 $g, $g",
    "fma.rz.f32 $f, $f, $f, $f",
    "mul.rp.ftz.f32 $f, $f, $f",
    "rsqrt.approx.f32 $f, $f",
    "tanh.approx.f32 $f, $f",
    "neg.f16x2 $r, $r",
    "abs.bf16 $h, $h",
    "min.bf16x2 $r, $r, $r",
    "fma.rn.relu.bf16 $h, $h, $h, $h",
    "cvt.rn.bf16.f32 $h, $f",
    "cvt.f32.bf16 $f, $h",
    "cvt.rz.relu.f16x2.f32 $r, $f, $f",
    "cvt.rna.tf32.f32 $r, $f",
    "cvt.sat.f32.f32 $f, $f",
    "cvt.rzi.u16.f16 $h, $h",
    "cvt.rn.f64.u32 $g, $r",
    "cvt.rp.sat.f32.f64 $f, $g",
    "cvt.rpi.s64.f64 $d, $g",
    "mov.b64 $g, $d",
};

constexpr std::string_view predicates[] = {
    "setp.lt.s32 $p, $r, $r",
    "setp.eq.u32 $p, $r, #",
    "setp.hi.u32 $p|$p, $r, $r",
    "setp.ge.and.s32 $p, $r, $r, $p",
    "setp.lt.xor.u64 $p|$p, $d, $d, !$p",
    "setp.gt.f32 $p, $f, $f",
    "setp.leu.or.f32 $p, $f, $f, $p",
    "setp.ne.b64 $p, $d, $d",
    "setp.num.f64 $p, $g, $g",
    "setp.lt.s16 $p, $h, $h",
    "setp.le.f16 $p, $h, $h",
    "setp.ltu.and.f16x2 $p|$p, $r, $r, $p",
    "testp.normal.f32 $p, $f",
    "and.pred $p, $p, $p",
    "or.pred $p, $p, $p",
    "xor.pred $p, $p, $p",
    "not.pred $p, $p",
    "mov.pred $p, $p",
    "setp.ls.or.u16 $p, $h, $h, $p",
    "setp.nan.f64 $p|$p, $g, $g",
    "setp.gt.xor.bf16 $p, $h, $h, !$p",
    "testp.subnormal.f64 $p, $g",
    "lop3.or.b32 $r|$p, $r, $r, $r, 0x96, $p",
    "lop3.and.b32 $r|$p, $r, $r, $r, 0x1b, !$p",
};

/// Instructions that belong together: no other carry may come between them.
constexpr std::string_view chains[] = {
    "add.cc.u32 $r, $r, $r; subc.cc.u32 $r, $r, $r; addc.u32 $r, $r, 0",
    "sub.cc.u32 $r, $r, $r; addc.cc.s32 $r, $r, $r; subc.u32 $r, $r, $r",
    "add.cc.u64 $d, $d, $d; subc.u64 $d, $d, $d",
    "sub.cc.s64 $d, $d, $d; subc.s64 $d, $d, $d",
    "mad.lo.cc.u32 $r, $r, $r, $r; madc.hi.u32 $r, $r, $r, 0",
    "mul.lo.u32 $r, $r, $r; mad.hi.cc.u32 $r, $r, $r, $r; madc.lo.cc.s32 $r, $r, $r, $r; subc.u32 $r, 0, 0",
    "setp.lt.s32 $p, $r, $r; selp.b32 $r, $r, $r, $p",
    "membar.cta; nanosleep.u32 #",
};

unsigned size_of(char bank) {
  switch (bank) {
    case 'r':
      return 8;
    case 'g':
    case 'h':
      return 2;
    default:
      return 4;
  }
}

std::string picked(Chance& chance, std::span<const std::string_view> patterns) {
  return guarded(chance, filled(chance, patterns[chance.below(patterns.size())]));
}

/// All of them under one guard, or without one.
std::string chain(Chance& chance) {
  const std::string guard = chance.one_in(5) ? fmt::format("@{} ", chance.predicate()) : "";
  std::string_view rest = chains[chance.below(std::size(chains))];
  std::string text;
  while (!rest.empty()) {
    const std::size_t end = rest.find("; ");
    text += fmt::format("  {}{};\n", guard, filled(chance, rest.substr(0, end)));
    rest = end == std::string_view::npos ? "" : rest.substr(end + 2);
  }
  return text;
}

}  // namespace

std::string Chance::predicate() {
  const bool inverse = one_in(2);
  return fmt::format("{}%p{}", inverse ? "!" : "", below(4));
}

std::string Chance::common_predicate() {
  const bool inverse = one_in(2);
  return fmt::format("{}%v{}", inverse ? "!" : "", below(2));
}

std::string filled(Chance& chance, std::string_view pattern) {
  // The parts of a vector or a pair must differ, so they are neighbours.
  const bool has_parts = pattern.find_first_of("{|") != std::string_view::npos;
  const std::uint32_t first = chance.below(8);
  std::string text;
  std::uint32_t drawn = 0;
  for (std::size_t i = 0; i < pattern.size(); ++i) {
    switch (pattern[i]) {
      case '$': {
        const char bank = pattern[++i];
        const std::uint32_t number = has_parts ? first + drawn++ : chance.below(8);
        text += fmt::format("%{}{}", bank, number % size_of(bank));
        break;
      }
      case '#':
        text += fmt::format("{}", chance.below(40));
        break;
      case '~':
        text += fmt::format("{}", chance.below(std::uint64_t{1} << 32U));
        break;
      case '@': {
        std::size_t digits = 0;
        const auto align = static_cast<unsigned>(std::stoul(std::string(pattern.substr(i + 1)), &digits));
        i += digits;
        text += fmt::format("{}", chance.below(4 * work_words / align) * align);
        break;
      }
      default:
        text.push_back(pattern[i]);
    }
  }
  return text;
}

std::string guarded(Chance& chance, const std::string& instruction) {
  return chance.one_in(5) ? fmt::format("  @{} {};\n", chance.predicate(), instruction)
                          : fmt::format("  {};\n", instruction);
}

std::string arithmetic_operation(Chance& chance) {
  const std::uint32_t roll = chance.below(100);
  if (roll < 72) return picked(chance, arithmetic);
  return roll < 93 ? picked(chance, predicates) : chain(chance);
}

std::string operation(Chance& chance, bool shared) {
  return chance.one_in(4) ? memory_operation(chance, shared) : arithmetic_operation(chance);
}

}  // namespace reconverge::random_programs
