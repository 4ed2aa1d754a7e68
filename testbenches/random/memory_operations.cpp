// SPDX-License-Identifier: Apache-2.0
// Loads, stores and atomics: on a thread's own memory, or where the order of threads does not matter.

#include <fmt/format.h>

#include <string_view>

#include "testbenches/random/operations.hpp"

namespace reconverge::random_programs {

namespace {

constexpr std::string_view in_slice[] = {
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
    "st.global.v2.f64 [%slice+@16], {$g, $g}",
    "ld.volatile.global.v2.u64 {$d, $d}, [%slice+@16]",
    "ld.global.s8 $r, [%slice+@1]",
    "ld.global.u8 $d, [%slice+@1]",
    "ld.global.s16 $r, [%slice+@2]",
    "ld.global.u16 $h, [%slice+@2]",
    "st.global.u8 [%slice+@1], $r",
    "st.global.b16 [%slice+@2], $h",
    "st.release.gpu.global.b32 [%slice+@4], $r",
    "ld.acquire.gpu.global.s32 $d, [%slice+@4]",
    "ld.global.s32 $d, [%slice+@4]",
    "atom.global.add.u32 $r, [%slice+@4], $r",
    "atom.global.exch.b32 $r, [%slice+@4], $r",
    "atom.global.cas.b32 $r, [%slice+@4], $r, $r",
    "atom.global.cas.b64 $d, [%slice+@8], $d, $d",
    "atom.global.inc.u32 $r, [%slice+@4], $r",
    "atom.global.dec.u32 $r, [%slice+@4], $r",
    "atom.global.max.s64 $d, [%slice+@8], $d",
    "atom.min.u64 $d, [%slice+@8], $d",
    "red.global.and.b64 [%slice+@8], $d",
    "atom.xor.b32 $r, [%slice+@4], $r",
    "atom.add.f32 $f, [%slice+@4], $f",
    "atom.global.add.f64 $g, [%slice+@8], $g",
    "isspacep.global $p, %slice",
    "ld.const.b32 $r, [numbers+@4]",
    "ld.const.v2.b64 {$d, $d}, [numbers+@16]",
    "ld.global.nc.f64 $g, [words+@8]",
    "ld.global.v2.b16 {$h, $h}, [words+@4]",
};

// Each stretch has one operation, with values for which it commutes, so that the order of threads does not matter.
struct Sum {
  std::string_view operation;
  std::string_view value;
  unsigned first;  // offset in bytes
  unsigned shift;  // of the index
};
constexpr Sum sums[] = {{"add.u32", "$r", 0, 2},   {"xor.b32", "$r", 64, 2},  {"max.s32", "$r", 128, 2},
                        {"min.s32", "$r", 192, 2}, {"or.b32", "$r", 256, 2},  {"inc.u32", "1000", 320, 2},
                        {"dec.u32", "77", 384, 2}, {"max.u32", "$r", 448, 2}, {"add.u64", "$d", 512, 3},
                        {"max.u64", "$d", 640, 3}, {"xor.b64", "$d", 768, 3}, {"add.f32", "%t3", 896, 2}};

/// In shared memory: one word each.
struct Tally {
  std::string_view operation;
  std::string_view value;
  std::uint32_t start;
};
constexpr Tally tallies[] = {{"add.u32", "$r", 0},   {"min.u32", "$r", ~0U}, {"max.s32", "$r", 1U << 31U},
                             {"and.b32", "$r", ~0U}, {"or.b32", "$r", 0},    {"xor.b32", "$r", 7},
                             {"inc.u32", "12", 0},   {"dec.u32", "9", 0}};

/// Adds to memory that all threads of the launch share.
std::string sum(Chance& chance) {
  const Sum& which = sums[chance.below(std::size(sums))];
  std::string text = filled(chance, "  and.b32 %t2, $r, 15;\n");
  text += fmt::format("  shl.b32 %t2, %t2, {};\n  cvt.u64.u32 %a1, %t2;\n  add.u64 %a1, %sums, %a1;\n", which.shift);
  // Small whole numbers: no float addition rounds.
  if (which.value == "%t3") text += filled(chance, "  and.b32 %t3, $r, 15;\n  cvt.rn.f32.u32 %t3, %t3;\n");
  if (!chance.one_in(3)) {
    return text + guarded(chance, filled(chance, fmt::format("red.global.{} [%a1+{}], {}", which.operation, which.first,
                                                             which.value)));
  }
  // The old value depends on the order, so it is not used.
  const bool wide = which.operation.ends_with("64");
  return text + guarded(chance, filled(chance, fmt::format("atom.global.{} {}, [%a1+{}], {}", which.operation,
                                                           wide ? "%a2" : "%t4", which.first, which.value)));
}

/// Adds to memory that all threads of the block share.
std::string tally(Chance& chance) {
  const std::uint32_t number = chance.below(std::size(tallies));
  const Tally& which = tallies[number];
  if (chance.one_in(2)) {
    return guarded(
        chance, filled(chance, fmt::format("red.shared.{} [tally+{}], {}", which.operation, 4 * number, which.value)));
  }
  return fmt::format("  mov.u64 %a1, tally;\n  cvta.shared.u64 %a1, %a1;\n") +
         guarded(chance,
                 filled(chance, fmt::format("atom.{} %t4, [%a1+{}], {}", which.operation, 4 * number, which.value)));
}

constexpr std::string_view in_own_shared[] = {
    "st.shared.b32 [%t5+@4], $r",
    "ld.shared.b32 $r, [%t5+@4]",
    "ld.shared.s8 $r, [%t5+@1]",
    "st.shared.v2.f32 [%t5+@8], {$f, $f}",
    "ld.shared.v4.b32 {$r, $r, $r, $r}, [%t5+@16]",
    "st.shared.b64 [%t5+@8], $d",
    "atom.shared.exch.b32 $r, [%t5+@4], $r",
    "atom.shared.cas.b32 $r, [%t5+@4], $r, $r",
    "atom.shared.max.u64 $d, [%t5+@8], $d",
    "red.shared.add.f32 [%t5+@4], $f",
    "atom.shared.add.f64 $g, [%t5+@8], $g",
    "cp.async.ca.shared.global [%t5+@8], [%slice+@8], 8;\n  cp.async.wait_all",
};

/// The thread's own words of shared memory.
std::string shared_access(Chance& chance) {
  return "  mov.u32 %t4, mine;\n  shl.b32 %t5, %thread, 6;\n  add.u32 %t5, %t4, %t5;\n" +
         guarded(chance, filled(chance, in_own_shared[chance.below(std::size(in_own_shared))]));
}

/// A word of the thread's stack, selected by data; sometimes by its generic address.
std::string stack_access(Chance& chance) {
  std::string text = filled(chance, "  and.b32 %t3, $r, 7;\n  mul.wide.u32 %a2, %t3, 4;\n  mov.u64 %a3, stack;\n");
  const bool generic = chance.one_in(2);
  if (generic) text += "  cvta.local.u64 %a3, %a3;\n";
  text += "  add.u64 %a2, %a2, %a3;\n";
  const std::string_view space = generic ? "" : ".local";
  const bool loads = chance.one_in(2);
  return text + guarded(chance, filled(chance, loads ? fmt::format("ld{}.b32 $r, [%a2]", space)
                                                     : fmt::format("st{}.b32 [%a2], $r", space)));
}

/// A constant, selected by data.
std::string constant_access(Chance& chance) {
  return filled(chance,
                "  and.b32 %t3, $r, 15;\n  mul.wide.u32 %a2, %t3, 4;\n  mov.u64 %a3, numbers;\n"
                "  add.u64 %a2, %a2, %a3;\n") +
         guarded(chance, filled(chance, "ld.const.b32 $r, [%a2]"));
}

}  // namespace

std::string memory_operation(Chance& chance, bool shared) {
  const std::uint32_t roll = chance.below(100);
  if (roll < 50) return guarded(chance, filled(chance, in_slice[chance.below(std::size(in_slice))]));
  if (roll < 64) return stack_access(chance);
  if (roll < 70) return constant_access(chance);
  if (!shared || roll < 82) return sum(chance);
  return roll < 90 ? tally(chance) : shared_access(chance);
}

std::string tally_start() {
  std::string text;
  for (std::size_t i = 0; i < std::size(tallies); ++i) {
    text += fmt::format("  st.shared.b32 [tally+{}], {};\n", 4 * i, tallies[i].start);
  }
  return text;
}

}  // namespace reconverge::random_programs
