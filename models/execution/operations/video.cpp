// SPDX-License-Identifier: Apache-2.0
#include "models/kernel/decode/video.hpp"

#include <algorithm>
#include <limits>

#include "models/execution/operations/lanewise.hpp"

// Video instructions: parts of registers, widened, combined, clamped, combined again or merged; or all parts at once.
// Rare, so one loop serves all forms of an operation; the form is the same for all lanes, so its branches are taken
// alike.

namespace reconverge::operations {

namespace {

using kernel::Comparison;
using kernel::Opcode;
using kernel::VideoForm;
using kernel::VideoOperation;
using kernel::VideoPart;
using kernel::VideoSecondary;

unsigned width_of(VideoPart part) { return part == VideoPart::word ? 32 : part < VideoPart::h0 ? 8 : 16; }

unsigned position_of(VideoPart part) {
  if (part == VideoPart::word) return 0;
  return part < VideoPart::h0 ? 8 * (static_cast<unsigned>(part) - 1)
                              : 16 * static_cast<unsigned>(part == VideoPart::h1);
}

std::int64_t widened(std::uint32_t word, VideoPart part, bool is_signed) {
  const unsigned unused = 64 - width_of(part);
  const std::uint64_t bits = static_cast<std::uint64_t>(word) >> position_of(part) << unused;
  return is_signed ? static_cast<std::int64_t>(bits) >> unused : static_cast<std::int64_t>(bits >> unused);
}

std::int64_t clamped(std::int64_t value, unsigned width, bool is_signed) {
  const std::int64_t span = std::int64_t{1} << (is_signed ? width - 1 : width);
  return std::clamp<std::int64_t>(value, is_signed ? -span : 0, span - 1);
}

/// The value as a signed number of that many bits. The manual keeps 34 bits of the first operation, and 33 bits between
/// .sat and the second operation.
template <unsigned Bits>
std::int64_t wrapped(std::int64_t value) {
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(value) << (64 - Bits)) >> (64 - Bits);
}

bool holds(Comparison comparison, std::int64_t a, std::int64_t b) {
  switch (comparison) {
    case Comparison::eq:
      return a == b;
    case Comparison::ne:
      return a != b;
    case Comparison::lt:
      return a < b;
    case Comparison::le:
      return a <= b;
    case Comparison::gt:
      return a > b;
    default:
      return a >= b;
  }
}

template <VideoOperation O>
std::int64_t primary(const Instruction& instruction, const VideoForm& form, std::int64_t a, std::int64_t b) {
  if constexpr (O == VideoOperation::add) return a + b;
  if constexpr (O == VideoOperation::sub) return a - b;
  if constexpr (O == VideoOperation::absdiff) return a < b ? b - a : a - b;
  if constexpr (O == VideoOperation::min) return std::min(a, b);
  if constexpr (O == VideoOperation::max) return std::max(a, b);
  if constexpr (O == VideoOperation::average) return (a + b + (a + b >= 0 ? 1 : 0)) >> 1;
  if constexpr (O == VideoOperation::set) return holds(instruction.comparison, a, b) ? 1 : 0;
  const unsigned by = form.wrap ? static_cast<unsigned>(b) & 31U : static_cast<unsigned>(std::min<std::int64_t>(b, 32));
  return O == VideoOperation::shl ? static_cast<std::int64_t>(static_cast<std::uint64_t>(a) << by) : a >> by;
}

template <VideoOperation O>
void video(const Instruction& instruction, ExecutionContext& context, LaneMask mask) {
  const VideoForm form(instruction);
  const bool is_signed = instruction.type == DataType::s32;
  const bool has_c = instruction.source[2].present();
  const Reader<std::uint32_t> a(context, instruction.source[0]);
  const Reader<std::uint32_t> b(context, instruction.source[1]);
  const Reader<std::uint32_t> c(context, instruction.source[has_c ? 2 : 1]);
  alignas(64) std::uint32_t result[warp_size];
  for (unsigned lane = 0; lane < warp_size; ++lane) {
    std::int64_t value = wrapped<34>(primary<O>(instruction, form, widened(a[lane], form.a, form.a_signed),
                                                widened(b[lane], form.b, form.b_signed)));
    if (instruction.saturate) value = clamped(value, width_of(form.d), is_signed);
    value = wrapped<33>(value);
    const std::int64_t other = widened(c[lane], VideoPart::word, is_signed);
    if (form.secondary == VideoSecondary::add) value += other;
    if (form.secondary == VideoSecondary::min) value = std::min(value, other);
    if (form.secondary == VideoSecondary::max) value = std::max(value, other);
    const std::uint32_t field = (width_of(form.d) == 32 ? ~0U : (1U << width_of(form.d)) - 1) << position_of(form.d);
    const auto bits = static_cast<std::uint32_t>(value) << position_of(form.d);
    result[lane] = (bits & field) | (c[lane] & ~field);
  }
  write_lanes<std::uint32_t>(context, instruction.destination[0], result, mask);
}

/// Halves or bytes separately, or the sum of their results.
template <VideoOperation O>
void video_of_parts(const Instruction& instruction, ExecutionContext& context, LaneMask mask) {
  const VideoForm form(instruction);
  const unsigned width = 32 / form.parts;
  const bool is_signed = instruction.type == DataType::s32;
  const bool adds = form.secondary == VideoSecondary::add;
  const auto first = static_cast<unsigned>(form.parts == 2 ? VideoPart::h0 : VideoPart::b0);
  const Reader<std::uint32_t> a(context, instruction.source[0]);
  const Reader<std::uint32_t> b(context, instruction.source[1]);
  const Reader<std::uint32_t> c(context, instruction.source[2]);
  alignas(64) std::uint32_t result[warp_size];
  for (unsigned lane = 0; lane < warp_size; ++lane) {
    std::uint32_t all = adds ? c[lane] : 0;
    for (unsigned i = 0; i < form.parts; ++i) {
      const auto part = static_cast<VideoPart>(first + i);
      std::int64_t value =
          primary<O>(instruction, form, widened(a[lane], part, form.a_signed), widened(b[lane], part, form.b_signed));
      if (instruction.saturate) value = clamped(value, width, is_signed);
      const auto bits = static_cast<std::uint32_t>(value);
      all += adds ? bits : (bits & ((1U << width) - 1)) << i * width;
    }
    result[lane] = all;
  }
  write_lanes<std::uint32_t>(context, instruction.destination[0], result, mask);
}

void multiply_add(const Instruction& instruction, ExecutionContext& context, LaneMask mask) {
  __extension__ using Int128 = __int128;
  const VideoForm form(instruction);
  const bool negates = form.negate_a != form.negate_b;
  const bool is_signed = form.a_signed || form.b_signed || negates || form.negate_c;
  const Reader<std::uint32_t> a(context, instruction.source[0]);
  const Reader<std::uint32_t> b(context, instruction.source[1]);
  const Reader<std::uint32_t> c(context, instruction.source[2]);
  alignas(64) std::uint32_t result[warp_size];
  for (unsigned lane = 0; lane < warp_size; ++lane) {
    const Int128 product =
        static_cast<Int128>(widened(a[lane], form.a, form.a_signed)) * widened(b[lane], form.b, form.b_signed);
    const std::int64_t addend = widened(c[lane], VideoPart::word, is_signed);
    const Int128 sum = (negates ? -product : product) + (form.negate_c ? -addend : addend) + (form.plus_one ? 1 : 0);
    // 64 bits are left after the shift, and a saturated result is correct with them.
    const auto value = sum >> form.shift;
    const Int128 lowest = is_signed ? std::numeric_limits<std::int32_t>::min() : 0;
    const Int128 highest = is_signed ? Int128{std::numeric_limits<std::int32_t>::max()}
                                     : Int128{std::numeric_limits<std::uint32_t>::max()};
    result[lane] = static_cast<std::uint32_t>(instruction.saturate ? std::clamp(value, lowest, highest) : value);
  }
  write_lanes<std::uint32_t>(context, instruction.destination[0], result, mask);
}

template <VideoOperation O>
Operation video_operation(const VideoForm& form) {
  return form.parts == 1 ? &video<O> : &video_of_parts<O>;
}

}  // namespace

Operation select_video(const Instruction& instruction) {
  const VideoForm form(instruction);
  switch (form.operation) {
    case VideoOperation::add:
      return video_operation<VideoOperation::add>(form);
    case VideoOperation::sub:
      return video_operation<VideoOperation::sub>(form);
    case VideoOperation::absdiff:
      return video_operation<VideoOperation::absdiff>(form);
    case VideoOperation::min:
      return video_operation<VideoOperation::min>(form);
    case VideoOperation::max:
      return video_operation<VideoOperation::max>(form);
    case VideoOperation::set:
      return video_operation<VideoOperation::set>(form);
    case VideoOperation::average:
      return video_operation<VideoOperation::average>(form);
    case VideoOperation::shl:
      return &video<VideoOperation::shl>;
    case VideoOperation::shr:
      return &video<VideoOperation::shr>;
    case VideoOperation::mad:
      return &multiply_add;
  }
  return nullptr;
}

}  // namespace reconverge::operations
