// SPDX-License-Identifier: Apache-2.0
// Video instructions, step by step as in the manual's pseudo-code, in numbers wide enough for every result.

#include "models/kernel/decode/video.hpp"

#include "testbenches/reference/bits.hpp"
#include "testbenches/reference/operations.hpp"

namespace reconverge::reference {

namespace {

using kernel::Comparison;
using kernel::DataType;
using kernel::Instruction;
using kernel::VideoForm;
using kernel::VideoOperation;
using kernel::VideoPart;
using kernel::VideoSecondary;

__extension__ using Wide = __int128;

struct Place {
  unsigned from = 0;
  unsigned width = 32;
};

Place place_of(VideoPart part) {
  switch (part) {
    case VideoPart::b0:
      return {0, 8};
    case VideoPart::b1:
      return {8, 8};
    case VideoPart::b2:
      return {16, 8};
    case VideoPart::b3:
      return {24, 8};
    case VideoPart::h0:
      return {0, 16};
    case VideoPart::h1:
      return {16, 16};
    default:
      return {};
  }
}

Wide extracted(std::uint64_t word, VideoPart part, bool is_signed) {
  const auto [from, width] = place_of(part);
  const std::uint64_t bits = low_bits(low_bits(word, 32) >> from, width);
  return is_signed ? Wide{signed_value(bits, width)} : static_cast<Wide>(bits);
}

Wide saturated(Wide value, unsigned width, bool is_signed) {
  const Wide highest = (Wide{1} << (is_signed ? width - 1 : width)) - 1;
  const Wide lowest = is_signed ? -highest - 1 : 0;
  return value < lowest ? lowest : value > highest ? highest : value;
}

// `value` wrapped to a number of `bits` bits, sign included.
Wide in_bits(Wide value, unsigned bits) {
  const Wide span = Wide{1} << bits;
  const Wide rest = ((value % span) + span) % span;
  return rest >= span / 2 ? rest - span : rest;
}

bool compared(Comparison comparison, Wide a, Wide b) {
  switch (comparison) {
    case Comparison::eq:
      return a == b;
    case Comparison::ne:
      return !(a == b);
    case Comparison::lt:
      return a < b;
    case Comparison::ge:
      return !(a < b);
    case Comparison::gt:
      return b < a;
    case Comparison::le:
      return !(b < a);
    default:
      return false;
  }
}

Wide first_operation(const Instruction& instruction, const VideoForm& form, Wide a, Wide b) {
  const Wide count = form.wrap ? (b & 31) : (b > 32 ? 32 : b);
  switch (form.operation) {
    case VideoOperation::add:
      return a + b;
    case VideoOperation::sub:
      return a - b;
    case VideoOperation::absdiff:
      return a - b < 0 ? b - a : a - b;
    case VideoOperation::min:
      return b < a ? b : a;
    case VideoOperation::max:
      return a < b ? b : a;
    case VideoOperation::average:
      return a + b < 0 ? (a + b) >> 1 : (a + b + 1) >> 1;
    case VideoOperation::set:
      return compared(instruction.comparison, a, b) ? 1 : 0;
    case VideoOperation::shl:
      return a * (Wide{1} << static_cast<unsigned>(count));
    case VideoOperation::shr:
      return a >> static_cast<unsigned>(count);
    default:
      unknown_instruction(instruction);
  }
}

std::uint64_t multiplied_and_added(const Instruction& instruction, const VideoForm& form, const Sources& source) {
  const bool minus = form.negate_a != form.negate_b;
  const bool is_signed = form.a_signed || form.b_signed || minus || form.negate_c;
  Wide product = extracted(source[0], form.a, form.a_signed) * extracted(source[1], form.b, form.b_signed);
  Wide addend = extracted(source[2], VideoPart::word, is_signed);
  if (minus) product = -product;
  if (form.negate_c) addend = -addend;
  Wide sum = product + addend;
  if (form.plus_one) ++sum;
  sum >>= form.shift;
  if (instruction.saturate) sum = saturated(sum, 32, is_signed);
  return low_bits(static_cast<std::uint64_t>(sum), 32);
}

// The manual's loop over halves or bytes.
std::uint64_t of_parts(const Instruction& instruction, const VideoForm& form, const Sources& source) {
  const unsigned width = 32 / form.parts;
  std::uint64_t merged = 0;
  Wide total = static_cast<Wide>(source[2]);
  for (unsigned from = 0; from < 32; from += width) {
    const auto part = [&](std::uint64_t word, bool is_signed) {
      const std::uint64_t bits = low_bits(word >> from, width);
      return is_signed ? Wide{signed_value(bits, width)} : static_cast<Wide>(bits);
    };
    Wide value = first_operation(instruction, form, part(source[0], form.a_signed), part(source[1], form.b_signed));
    if (instruction.saturate) value = saturated(value, width, instruction.type == DataType::s32);
    total += value;
    merged |= low_bits(static_cast<std::uint64_t>(value), width) << from;
  }
  return form.secondary == VideoSecondary::add ? low_bits(static_cast<std::uint64_t>(total), 32) : merged;
}

}  // namespace

std::uint64_t video_result(const Instruction& instruction, const Sources& source) {
  const VideoForm form(instruction);
  if (form.parts != 1) return of_parts(instruction, form, source);
  if (form.operation == VideoOperation::mad) {
    return multiplied_and_added(instruction, form, source);
  }
  const bool is_signed = instruction.type == DataType::s32;
  const auto [from, width] = place_of(form.d);
  Wide value = in_bits(first_operation(instruction, form, extracted(source[0], form.a, form.a_signed),
                                       extracted(source[1], form.b, form.b_signed)),
                       34);
  if (instruction.saturate) value = saturated(value, width, is_signed);
  value = in_bits(value, 33);
  const Wide c = extracted(source[2], VideoPart::word, is_signed);
  switch (form.secondary) {
    case VideoSecondary::add:
      value += c;
      break;
    case VideoSecondary::min:
      value = c < value ? c : value;
      break;
    case VideoSecondary::max:
      value = value < c ? c : value;
      break;
    case VideoSecondary::none:
      break;
  }
  std::uint64_t result = low_bits(static_cast<std::uint64_t>(value), 32);
  if (width == 32) return result;
  result = low_bits(source[2], 32);
  for (unsigned i = 0; i < width; ++i) {
    result &= ~(std::uint64_t{1} << (from + i));
    result |= (static_cast<std::uint64_t>(value >> i) & 1U) << (from + i);
  }
  return result;
}

}  // namespace reconverge::reference
