#include "testbenches/random/operations.hpp"

#include <fmt/format.h>

#include <array>
#include <span>
#include <string_view>

namespace reconverge::random_programs {

namespace {

/// In a template every $ and one letter becomes a register of that bank: r d f g h p; # a small number, ~ any number, @
/// a place among the thread's words, aligned as the number after it says.
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
};

constexpr std::string_view memory[] = {
    "st.global.b32 [%slice+@4], $r",
    "ld.global.b32 $r, [%slice+@4]",
    "st.global.b64 [%slice+@8], $d",
    "ld.global.u64 $d, [%slice+@8]",
    "st.b32 [%slice+@4], $r",
    "ld.f32 $f, [%slice+@4]",
    "st.global.v2.b32 [%slice+@8], {$r, $r}",
    "ld.global.v2.u32 {$r, $r}, [%slice+@8]",
    "st.global.v4.b32 [%slice+@16], {$r, $r, $r, $r}",
    "ld.global.v4.f32 {$f, $f, $f, $f}, [%slice+@16]",
    "ld.global.s8 $r, [%slice+@1]",
    "ld.global.u8 $d, [%slice+@1]",
    "ld.global.s16 $r, [%slice+@2]",
    "st.global.u8 [%slice+@1], $r",
    "st.global.b16 [%slice+@2], $h",
    "ld.global.s32 $d, [%slice+@4]",
    "atom.global.add.u32 $r, [%slice+@4], $r",
    "atom.global.exch.b32 $r, [%slice+@4], $r",
    "atom.global.cas.b32 $r, [%slice+@4], $r, $r",
    "atom.global.max.s64 $d, [%slice+@8], $d",
    "red.global.and.b64 [%slice+@8], $d",
    "atom.add.f32 $f, [%slice+@4], $f",
};

// Each stretch of `sums` has one operation, so that the order of threads does not matter.
struct Sum {
  std::string_view operation;
  std::string_view value;
  unsigned first;  // byte
  unsigned shift;  // of the index
};
constexpr Sum sums[] = {{"add.u32", "$r", 0, 2},   {"xor.b32", "$r", 64, 2}, {"max.s32", "$r", 128, 2},
                        {"min.u32", "$r", 192, 2}, {"or.b32", "$r", 256, 2}, {"add.u64", "$d", 512, 3},
                        {"max.u64", "$d", 640, 3}};

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

std::string filled(Chance& chance, std::string_view pattern) {
  // The parts of a vector or a pair must differ: they are neighbours.
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

std::string picked(Chance& chance, std::span<const std::string_view> patterns) {
  return guarded(chance, filled(chance, patterns[chance.below(patterns.size())]));
}

std::string sum(Chance& chance) {
  const Sum& which = sums[chance.below(std::size(sums))];
  std::string text = filled(chance, "  and.b32 %t2, $r, 15;\n");
  text += fmt::format("  shl.b32 %t2, %t2, {};\n  cvt.u64.u32 %a1, %t2;\n  add.u64 %a1, %sums, %a1;\n", which.shift);
  return text + guarded(chance, filled(chance, fmt::format("red.global.{} [%a1+{}], {}", which.operation, which.first,
                                                           which.value)));
}

// A word of the thread's stack, picked by data; by its generic address at times.
std::string stack_access(Chance& chance) {
  std::string text = filled(chance, "  and.b32 %t3, $r, 7;\n  mul.wide.u32 %a2, %t3, 4;\n  mov.u64 %a3, own;\n");
  const bool generic = chance.one_in(2);
  if (generic) text += "  cvta.local.u64 %a3, %a3;\n";
  text += "  add.u64 %a2, %a2, %a3;\n";
  const std::string_view space = generic ? "" : ".local";
  const bool loads = chance.one_in(2);
  return text + guarded(chance, filled(chance, loads ? fmt::format("ld{}.b32 $r, [%a2]", space)
                                                     : fmt::format("st{}.b32 [%a2], $r", space)));
}

}  // namespace

std::string Chance::predicate() {
  const bool inverse = one_in(2);
  return fmt::format("{}%p{}", inverse ? "!" : "", below(4));
}

std::string operation(Chance& chance) {
  const std::uint32_t roll = chance.below(100);
  if (roll < 55) return picked(chance, arithmetic);
  if (roll < 72) return picked(chance, predicates);
  if (roll < 88) return picked(chance, memory);
  return roll < 94 ? sum(chance) : stack_access(chance);
}

std::string meeting(Chance& chance, const Program& program) {
  const std::uint64_t threads = program.block.count();
  std::string text = "  mov.u32 %t4, cells;\n  shl.b32 %t5, %thread, 2;\n  add.u32 %t5, %t4, %t5;\n";
  text += filled(chance, "  st.shared.b32 [%t5], $r;\n  bar.sync 0;\n");
  text += fmt::format("  add.u32 %t6, %thread, {};\n  rem.u32 %t6, %t6, {};\n", 1 + chance.below(threads), threads);
  text +=
      filled(chance, "  shl.b32 %t6, %t6, 2;\n  add.u32 %t6, %t4, %t6;\n  ld.shared.b32 $r, [%t6];\n  bar.sync 0;\n");
  return text;
}

}  // namespace reconverge::random_programs
