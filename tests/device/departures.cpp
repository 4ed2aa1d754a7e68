// SPDX-License-Identifier: Apache-2.0
#include "tests/device/departures.hpp"

#include <algorithm>
#include <optional>
#include <regex>
#include <string_view>
#include <vector>

namespace reconverge::tests {

namespace {

std::vector<std::string> split(const std::string& text, char separator) {
  std::vector<std::string> parts(1);
  for (const char letter : text) {
    if (letter == separator) {
      parts.emplace_back();
    } else if (letter != ' ') {
      parts.back() += letter;
    }
  }
  return parts;
}

/// `vadd.u32.s32.u32.sat.min %r4, %r0.b1, %r1, %r2`
struct Video {
  std::string name;
  std::vector<std::string> modifiers;
  std::vector<std::string> operands;

  bool says(std::string_view word) const {
    return std::find(modifiers.begin(), modifiers.end(), word) != modifiers.end();
  }
  bool has_signed_source() const { return modifiers.at(1) == "s32" || modifiers.at(2) == "s32"; }
  /// The part that the operand names; empty for the whole register.
  std::string part(std::size_t operand) const {
    const std::string& text = operands.at(operand);
    const std::size_t point = text.find('.');
    return point == std::string::npos ? "" : text.substr(point + 1);
  }
  bool is_negated(std::size_t operand) const { return operands.at(operand).starts_with('-'); }
};

// The compiler negates, multiplies and adds words as signed numbers. Only .sat, .shr7 and .shr15 show this, since the
// lowest 32 bits are the same. vmad.u32.u32.u32.po.shr7 of 2, 0 and 0x80000000 gives 0xff000000, not 0x01000000;
// vmad.s32.u32.s32.sat of 0x80000000, minus 1 and 2 gives 0x7fffffff, not 0x80000002.
std::string departure_of_vmad(const Video& video) {
  if (!video.says("sat") && !video.says("shr7") && !video.says("shr15")) return {};
  const bool minus = video.is_negated(1) != video.is_negated(2);
  const bool is_unsigned = !video.has_signed_source() && !minus;
  const bool has_unsigned_word =
      (video.modifiers[1] == "u32" && video.part(1).empty()) || (video.modifiers[2] == "u32" && video.part(2).empty());
  if ((is_unsigned && !video.is_negated(3)) || (has_unsigned_word && !is_unsigned))
    return "vmad takes unsigned words as signed";
  return {};
}

std::string departure_of(const Video& video) {
  if (video.name == "vmad") return departure_of_vmad(video);
  const bool combines = video.says("add") || video.says("min") || video.says("max");
  const bool saturates = video.says("sat");
  if (video.name == "vset") {
    // vset.s32.u32.eq.min with 0x80000000 as c gives 0x80000000. In the manual, c is unsigned for every type.
    if (video.modifiers[0] == "s32" && combines && !video.says("add")) return "vset.s32 takes c as signed";
  } else if (video.says("add")) {
    // vadd.u32.u32.u32.sat.add of 0xffffffff, 0x101 and 0x7f gives 0x17f, not 0x7e.
    if (video.name == "vadd" && saturates && video.modifiers[0] == "u32" && !video.has_signed_source())
      return "vadd.u32.u32.u32.sat.add does not clamp";
  } else if (combines) {
    // A first result beyond the range of the destination's type is compared as unsigned for .u32, and wrapped or not
    // for .s32. vsub.u32.u32.u32.min of 0, 1 and 5 gives 5, not 0xffffffff; vshl.s32.u32.u32.clamp.min of 1, 32 and
    // 0x7fff gives 0x7fff, not 0.
    const bool may_go_beyond =
        video.name == "vsub" || video.name == "vshl" || (video.modifiers[0] == "u32" && video.has_signed_source());
    // With a signed source and .u32, even a clamped result of 2^31 or more is treated as a larger one.
    // vadd.u32.u32.s32.sat.min of 0x80, 0x7fffffff and 0xfffffffe gives 0xfffffffe, not 0x8000007f.
    const bool may_be_large =
        video.modifiers[0] == "u32" && video.has_signed_source() && (video.name == "vadd" || video.name == "vshl");
    if (saturates ? may_be_large : may_go_beyond)
      return "video.min and .max compare results beyond 32 bits differently";
  }
  const std::string part = combines ? "" : video.part(0);
  // vmin.u32.s32.u32 %r4.h1 of 0x80000000 and 0 with 2 as c gives 0x80000002, not 2: the compiler selects the bits of
  // the part without a shift. It shifts for .b1. vset.u32.u32.lt does the same. No case has .b3.
  if (part == "b2" || part == "h1") return "video instructions with .b2 or .h1 as destination do not shift the result";
  // The compiler clamps a negative result to the largest number of the part; for vshl, to 32 bits.
  // vsub.u32.s32.u32.sat %r.b1 of -128 and 0 gives 0xff in the byte, not 0.
  const bool may_be_negative =
      video.name == "vsub" ||
      (video.has_signed_source() && (video.name == "vadd" || video.name == "vmin" || video.name == "vmax"));
  if (!part.empty() && saturates && (may_be_negative || video.name == "vshl"))
    return "video.sat with a partial destination clamps differently";
  return {};
}

std::optional<Video> video_of(const std::string& line) {
  static const std::regex pattern(
      R"(^\s*(?:@!?%\w+\s+)?(vadd|vsub|vabsdiff|vmin|vmax|vset|vshl|vshr|vmad)\.([\w.]+)\s+([^;]+);$)");
  std::smatch match;
  if (!std::regex_match(line, match, pattern)) return std::nullopt;
  return Video{match[1], split(match[2], '.'), split(match[3], ',')};
}

}  // namespace

std::string departure(const std::string& line) {
  // `@%p1 testp.normal.f32 %p0, %f0` writes %p0 even where %p1 is false.
  static const std::regex guarded_test(R"(^\s*@.*\stestp\..*)");
  if (std::regex_match(line, guarded_test)) return "a guard of testp has no effect";
  // `@%p1 set.gtu.f32.f32 %f0, %f1, %f2` changes %f0 where %p1 is false: its bits, as an integer, are converted to f32,
  // and the sign is dropped.
  static const std::regex guarded_set(R"(^\s*@.*\sset\.[\w.]+\.f32\.\w+\s.*)");
  if (std::regex_match(line, guarded_set))
    return "a guard of set with a result of f32 has an effect on comparisons only";
  // `st.f32 [a], %v0` of 0x80000000 stores 0x4f000000: a .b64 register is converted as an integer, where the manual
  // takes its lowest 32 bits. (%v and %d are the registers of 64 bits in the tests' texts.)
  static const std::regex wide_store(R"(^\s*(@\S+\s+)?st\.[\w.:]*f32\s+\[[^\]]*\],\s*\{?%[vd]\d.*)");
  if (std::regex_match(line, wide_store)) return "st.f32 converts a register of 64 bits";
  // `bfi.b32 %r7, %r1, %r1, 1, 37` inserts 5 bits, not 31: the optimiser takes an immediate length modulo 32.
  static const std::regex long_insertion(R"(^\s*(@\S+\s+)?bfi\.b32\s.*,\s*(3[2-9]|[4-9]\d|\d{3,});$)");
  if (std::regex_match(line, long_insertion)) return "bfi.b32 takes an immediate length modulo 32";
  const auto video = video_of(line);
  return video ? departure_of(*video) : "";
}

}  // namespace reconverge::tests
