// SPDX-License-Identifier: Apache-2.0
#include "models/execution/operations/half.hpp"
#include "models/execution/operations/lanewise.hpp"

// setp and set: comparisons, ordered and unordered, combined with a predicate; testp.

namespace reconverge::operations {

namespace {

using kernel::Boolean;
using kernel::Comparison;
using kernel::Opcode;

struct Eq {
  template <typename T>
  bool operator()(T a, T b) const {
    return a == b;
  }
};
struct Ne {
  template <typename T>
  bool operator()(T a, T b) const {
    return !is_nan(a) && !is_nan(b) && a != b;
  }
};
struct Lt {
  template <typename T>
  bool operator()(T a, T b) const {
    return a < b;
  }
};
struct Le {
  template <typename T>
  bool operator()(T a, T b) const {
    return a <= b;
  }
};
struct Gt {
  template <typename T>
  bool operator()(T a, T b) const {
    return a > b;
  }
};
struct Ge {
  template <typename T>
  bool operator()(T a, T b) const {
    return a >= b;
  }
};
// The unordered forms also hold when either operand is NaN.
struct Equ {
  template <typename T>
  bool operator()(T a, T b) const {
    return a == b || is_nan(a) || is_nan(b);
  }
};
struct Neu {
  template <typename T>
  bool operator()(T a, T b) const {
    return !(a == b);
  }
};
struct Ltu {
  template <typename T>
  bool operator()(T a, T b) const {
    return !(a >= b);
  }
};
struct Leu {
  template <typename T>
  bool operator()(T a, T b) const {
    return !(a > b);
  }
};
struct Gtu {
  template <typename T>
  bool operator()(T a, T b) const {
    return !(a <= b);
  }
};
struct Geu {
  template <typename T>
  bool operator()(T a, T b) const {
    return !(a < b);
  }
};
struct Num {
  template <typename T>
  bool operator()(T a, T b) const {
    return !is_nan(a) && !is_nan(b);
  }
};
struct Nan {
  template <typename T>
  bool operator()(T a, T b) const {
    return is_nan(a) || is_nan(b);
  }
};

/// How values of type T are compared: numbers of 16 bits as the f64 of the same value, with .ftz subnormals as zero.
template <bool Flush, typename T>
auto comparable(T value) {
  if constexpr (is_half<T>) {
    const bool subnormal = (value.bits & T::infinity) == 0;
    return Flush && subnormal ? 0.0 : widen(value);
  } else if constexpr (Flush) {
    return flush(value);
  } else {
    return value;
  }
}

/// The values at `Part` of two in a register.
template <typename T, unsigned Part>
T part_of(Stored<T> stored) {
  if constexpr (Part == 0) {
    return from_row<T>(stored);
  } else {
    return from_row<T>(stored >> 16U);
  }
}

template <typename F, typename T, bool Flush, unsigned Part>
LaneMask compare(const Instruction& instruction, const ExecutionContext& context) {
  const Reader<T> a(context, instruction.source[0]);
  const Reader<T> b(context, instruction.source[1]);
  alignas(64) std::uint32_t flags[warp_size];
  for (unsigned lane = 0; lane < warp_size; ++lane) {
    const auto left = comparable<Flush>(part_of<T, Part>(a[lane]));
    const auto right = comparable<Flush>(part_of<T, Part>(b[lane]));
    flags[lane] = F{}(left, right) ? ~0U : 0U;
  }
  return to_mask(flags);
}

LaneMask combine(Boolean boolean, LaneMask comparison, LaneMask with) {
  switch (boolean) {
    case Boolean::and_:
      return comparison & with;
    case Boolean::or_:
      return comparison | with;
    case Boolean::xor_:
      return comparison ^ with;
    default:
      return comparison;
  }
}

/// The predicate that `boolean` combines each comparison with.
LaneMask combined_predicate(const Instruction& instruction, const ExecutionContext& context) {
  return instruction.boolean == Boolean::none ? 0 : predicate(instruction, context, 2);
}

/// destination[0] gets the comparison and destination[1] its inverse, or the comparison of the upper halves of a pair;
/// each combined with the predicate source[2].
template <typename F, typename T, bool Flush, bool Pair>
void set_predicate(const Instruction& instruction, ExecutionContext& context, LaneMask mask) {
  const LaneMask result = compare<F, T, Flush, 0>(instruction, context);
  LaneMask second = ~result;
  if constexpr (Pair) second = compare<F, T, Flush, 1>(instruction, context);
  const LaneMask with = combined_predicate(instruction, context);
  write_predicate(context, instruction.destination[0], combine(instruction.boolean, result, with), mask);
  write_predicate(context, instruction.destination[1], combine(instruction.boolean, second, with), mask);
}

/// The value that set writes if the comparison holds: 1.0, or all ones for an integer.
std::uint32_t truth(DataType type) {
  switch (type) {
    case DataType::f32:
      return std::bit_cast<std::uint32_t>(1.0F);
    case DataType::f16:
    case DataType::f16x2:
      return Half::one;
    case DataType::bf16:
    case DataType::bf16x2:
      return Bfloat::one;
    case DataType::u16:
    case DataType::s16:
      return 0xffff;
    default:
      return ~0U;
  }
}

/// set; for pairs, each half of the destination is the comparison of these halves.
template <typename F, typename T, bool Flush, bool Pair>
void set_value(const Instruction& instruction, ExecutionContext& context, LaneMask mask) {
  const LaneMask with = combined_predicate(instruction, context);
  const LaneMask low = combine(instruction.boolean, compare<F, T, Flush, 0>(instruction, context), with);
  const std::uint32_t yes = Pair ? truth(instruction.type) & 0xffffU : truth(instruction.type);
  alignas(64) std::uint32_t result[warp_size];
  for (unsigned lane = 0; lane < warp_size; ++lane) result[lane] = (low >> lane & 1U) != 0 ? yes : 0U;
  if constexpr (Pair) {
    const LaneMask high = combine(instruction.boolean, compare<F, T, Flush, 1>(instruction, context), with);
    for (unsigned lane = 0; lane < warp_size; ++lane) result[lane] |= (high >> lane & 1U) != 0 ? yes << 16U : 0U;
  }
  write_lanes<std::uint32_t>(context, instruction.destination[0], result, mask);
}

template <typename F, typename T, bool Flush = false, bool Pair = false>
Operation pick(const Instruction& instruction) {
  return instruction.opcode == Opcode::setp ? &set_predicate<F, T, Flush, Pair> : &set_value<F, T, Flush, Pair>;
}

template <typename T>
Operation by_integer_comparison(const Instruction& instruction) {
  switch (instruction.comparison) {
    case Comparison::eq:
      return pick<Eq, T>(instruction);
    case Comparison::ne:
      return pick<Ne, T>(instruction);
    case Comparison::lt:
    case Comparison::lo:
      return pick<Lt, T>(instruction);
    case Comparison::le:
    case Comparison::ls:
      return pick<Le, T>(instruction);
    case Comparison::gt:
    case Comparison::hi:
      return pick<Gt, T>(instruction);
    case Comparison::ge:
    case Comparison::hs:
      return pick<Ge, T>(instruction);
    default:
      return nullptr;
  }
}

template <typename T, bool Flush, bool Pair = false>
Operation by_float_comparison(const Instruction& instruction) {
  switch (instruction.comparison) {
    case Comparison::eq:
      return pick<Eq, T, Flush, Pair>(instruction);
    case Comparison::ne:
      return pick<Ne, T, Flush, Pair>(instruction);
    case Comparison::lt:
      return pick<Lt, T, Flush, Pair>(instruction);
    case Comparison::le:
      return pick<Le, T, Flush, Pair>(instruction);
    case Comparison::gt:
      return pick<Gt, T, Flush, Pair>(instruction);
    case Comparison::ge:
      return pick<Ge, T, Flush, Pair>(instruction);
    case Comparison::equ:
      return pick<Equ, T, Flush, Pair>(instruction);
    case Comparison::neu:
      return pick<Neu, T, Flush, Pair>(instruction);
    case Comparison::ltu:
      return pick<Ltu, T, Flush, Pair>(instruction);
    case Comparison::leu:
      return pick<Leu, T, Flush, Pair>(instruction);
    case Comparison::gtu:
      return pick<Gtu, T, Flush, Pair>(instruction);
    case Comparison::geu:
      return pick<Geu, T, Flush, Pair>(instruction);
    case Comparison::num:
      return pick<Num, T, Flush, Pair>(instruction);
    case Comparison::nan:
      return pick<Nan, T, Flush, Pair>(instruction);
    default:
      return nullptr;
  }
}

/// Of types that have .ftz.
template <typename T, bool Pair = false>
Operation by_flushed_comparison(const Instruction& instruction) {
  return instruction.flush_subnormals ? by_float_comparison<T, true, Pair>(instruction)
                                      : by_float_comparison<T, false, Pair>(instruction);
}

template <typename T>
bool has_property(T value, kernel::FloatProperty property) {
  switch (property) {
    case kernel::FloatProperty::finite:
      return std::isfinite(value);
    case kernel::FloatProperty::infinite:
      return std::isinf(value);
    case kernel::FloatProperty::number:
      return !std::isnan(value);
    case kernel::FloatProperty::notanumber:
      return std::isnan(value);
    case kernel::FloatProperty::normal:  // the manual counts zero among the normal numbers
      return std::isnormal(value) || value == T{0};
    case kernel::FloatProperty::subnormal:
      return std::fpclassify(value) == FP_SUBNORMAL;
  }
  return false;
}

template <typename T>
void test_property(const Instruction& instruction, ExecutionContext& context, LaneMask mask) {
  const Reader<T> source(context, instruction.source[0]);
  const auto property = static_cast<kernel::FloatProperty>(instruction.variant);
  LaneMask result = 0;
  for (unsigned lane = 0; lane < warp_size; ++lane) {
    result |= LaneMask{has_property<T>(source[lane], property)} << lane;
  }
  write_predicate(context, instruction.destination[0], result, mask);
}

}  // namespace

Operation select_compare(const Instruction& instruction) {
  if (instruction.opcode == Opcode::testp) {
    return instruction.type == DataType::f64 ? &test_property<double> : &test_property<float>;
  }
  // setp compares its own type; set compares the source type and writes its own.
  const bool is_set = instruction.opcode == Opcode::set;
  switch (is_set ? instruction.source_type : instruction.type) {
    case DataType::b16:
    case DataType::u16:
      return by_integer_comparison<std::uint16_t>(instruction);
    case DataType::s16:
      return by_integer_comparison<std::int16_t>(instruction);
    case DataType::b32:
    case DataType::u32:
      return by_integer_comparison<std::uint32_t>(instruction);
    case DataType::s32:
      return by_integer_comparison<std::int32_t>(instruction);
    case DataType::b64:
    case DataType::u64:
      return by_integer_comparison<std::uint64_t>(instruction);
    case DataType::s64:
      return by_integer_comparison<std::int64_t>(instruction);
    case DataType::f32:
      return by_flushed_comparison<float>(instruction);
    case DataType::f64:
      return by_float_comparison<double, false>(instruction);
    case DataType::f16:
      return by_flushed_comparison<Half>(instruction);
    case DataType::f16x2:
      return by_flushed_comparison<Half, true>(instruction);
    case DataType::bf16:
      return by_float_comparison<Bfloat, false>(instruction);
    case DataType::bf16x2:
      return by_float_comparison<Bfloat, false, true>(instruction);
    default:
      return nullptr;
  }
}

}  // namespace reconverge::operations
