#include "models/sm/lanes/lanewise.hpp"

// setp and set: comparisons, ordered and unordered, combined with a predicate.

namespace reconverge::lanes {

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

template <typename F>
struct Flushed {
  bool operator()(float a, float b) const { return F{}(flush(a), flush(b)); }
};

template <typename F, typename T>
LaneMask compare(const Instruction& instruction, const ExecutionContext& context) {
  const Reader<T> a(context, instruction.source[0]);
  const Reader<T> b(context, instruction.source[1]);
  alignas(64) std::uint32_t flags[warp_size];
  for (unsigned lane = 0; lane < warp_size; ++lane) {
    flags[lane] = F{}(from_row<T>(a[lane]), from_row<T>(b[lane])) ? ~0U : 0U;
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

/// destination[0] gets the comparison, destination[1] its inverse, each combined with the predicate source[2].
template <typename F, typename T>
void set_predicate(const Instruction& instruction, ExecutionContext& context, LaneMask mask) {
  const LaneMask result = compare<F, T>(instruction, context);
  const LaneMask with = instruction.boolean == Boolean::none ? 0 : predicate(instruction, context, 2);
  write_predicate(context, instruction.destination[0], combine(instruction.boolean, result, with), mask);
  write_predicate(context, instruction.destination[1], combine(instruction.boolean, ~result, with), mask);
}

/// set: all ones or zero for integer destinations, 1.0 or 0.0 for f32.
template <typename F, typename T>
void set_value(const Instruction& instruction, ExecutionContext& context, LaneMask mask) {
  const LaneMask comparison = compare<F, T>(instruction, context);
  const LaneMask with = instruction.boolean == Boolean::none ? 0 : predicate(instruction, context, 2);
  const LaneMask holds = combine(instruction.boolean, comparison, with);
  const std::uint32_t yes = instruction.type == DataType::f32 ? std::bit_cast<std::uint32_t>(1.0F) : ~0U;
  alignas(64) std::uint32_t result[warp_size];
  for (unsigned lane = 0; lane < warp_size; ++lane) result[lane] = (holds >> lane & 1U) != 0 ? yes : 0U;
  write_lanes<std::uint32_t>(context, instruction.destination[0], result, mask);
}

template <typename F, typename T>
Operation pick(const Instruction& instruction) {
  return instruction.opcode == Opcode::setp ? &set_predicate<F, T> : &set_value<F, T>;
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

template <typename T, template <typename> typename Wrap>
Operation by_float_comparison(const Instruction& instruction) {
  switch (instruction.comparison) {
    case Comparison::eq:
      return pick<Wrap<Eq>, T>(instruction);
    case Comparison::ne:
      return pick<Wrap<Ne>, T>(instruction);
    case Comparison::lt:
      return pick<Wrap<Lt>, T>(instruction);
    case Comparison::le:
      return pick<Wrap<Le>, T>(instruction);
    case Comparison::gt:
      return pick<Wrap<Gt>, T>(instruction);
    case Comparison::ge:
      return pick<Wrap<Ge>, T>(instruction);
    case Comparison::equ:
      return pick<Wrap<Equ>, T>(instruction);
    case Comparison::neu:
      return pick<Wrap<Neu>, T>(instruction);
    case Comparison::ltu:
      return pick<Wrap<Ltu>, T>(instruction);
    case Comparison::leu:
      return pick<Wrap<Leu>, T>(instruction);
    case Comparison::gtu:
      return pick<Wrap<Gtu>, T>(instruction);
    case Comparison::geu:
      return pick<Wrap<Geu>, T>(instruction);
    case Comparison::num:
      return pick<Wrap<Num>, T>(instruction);
    case Comparison::nan:
      return pick<Wrap<Nan>, T>(instruction);
    default:
      return nullptr;
  }
}

template <typename F>
using Plain = F;

}  // namespace

Operation select_compare(const Instruction& instruction) {
  // setp compares its own type; set compares the source type and writes its own.
  const bool is_set = instruction.opcode == Opcode::set;
  if (is_set && kernel::bytes_of(instruction.type) != 4) return nullptr;
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
      return instruction.flush_subnormals ? by_float_comparison<float, Flushed>(instruction)
                                          : by_float_comparison<float, Plain>(instruction);
    case DataType::f64:
      return by_float_comparison<double, Plain>(instruction);
    default:
      return nullptr;
  }
}

}  // namespace reconverge::lanes
