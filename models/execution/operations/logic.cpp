// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "models/execution/operations/lanewise.hpp"

// Bitwise logic, shifts and bit fields; predicates are lane masks and need no loop.

namespace reconverge::operations {

namespace {

using kernel::Opcode;

struct And {
  template <typename T>
  T operator()(T a, T b) const {
    return static_cast<T>(a & b);
  }
};
struct Or {
  template <typename T>
  T operator()(T a, T b) const {
    return static_cast<T>(a | b);
  }
};
struct Xor {
  template <typename T>
  T operator()(T a, T b) const {
    return static_cast<T>(a ^ b);
  }
};
struct Not {
  template <typename T>
  T operator()(T a) const {
    return static_cast<T>(~a);
  }
};
struct Cnot {
  template <typename T>
  T operator()(T a) const {
    return static_cast<T>(a == 0 ? 1 : 0);
  }
};

// Shifts by more than the width clamp: zero, or the sign for signed right shifts.
struct Shl {
  template <typename T>
  T operator()(T a, std::uint32_t by) const {
    constexpr std::uint32_t width = 8 * sizeof(T);
    return by < width ? static_cast<T>(std::uint64_t{a} << by) : T{0};
  }
};
struct ShrLogical {
  template <typename T>
  T operator()(T a, std::uint32_t by) const {
    constexpr std::uint32_t width = 8 * sizeof(T);
    return by < width ? static_cast<T>(a >> by) : T{0};
  }
};
struct ShrArithmetic {
  template <typename T>
  T operator()(T a, std::uint32_t by) const {
    constexpr std::uint32_t width = 8 * sizeof(T);
    return static_cast<T>(a >> std::min(by, width - 1));
  }
};

template <typename T>
struct Popc {
  std::uint32_t operator()(T a) const { return static_cast<std::uint32_t>(std::popcount(a)); }
};
template <typename T>
struct Clz {
  std::uint32_t operator()(T a) const { return static_cast<std::uint32_t>(std::countl_zero(a)); }
};
template <typename T>
struct Brev {
  T operator()(T a) const {
    T result = 0;
    for (unsigned bit = 0; bit < 8 * sizeof(T); ++bit) result = static_cast<T>(result << 1U | (a >> bit & 1U));
    return result;
  }
};

/// A position or length of bfe and bfi: the lowest byte; for 64-bit fields the whole word, as in ptxas 13.0 and GPUs.
/// The manual defines only 0 to 255.
template <typename T>
constexpr std::uint32_t field_operand(std::uint32_t value) {
  return sizeof(T) == 8 ? std::min(value, 0xffU) : value & 0xffU;
}

/// bfe: `length` bits from `position`, filled with the sign bit of the field (or of the value, past its end).
template <typename T>
struct Bfe {
  T operator()(T a, std::uint32_t position, std::uint32_t length) const {
    using U = std::make_unsigned_t<T>;
    constexpr std::uint32_t top = 8 * sizeof(T) - 1;
    position = field_operand<T>(position);
    length = field_operand<T>(length);
    const auto value = static_cast<U>(a);
    if (length == 0) return 0;
    bool sign = false;
    if constexpr (std::is_signed_v<T>) sign = (value >> std::min(position + length - 1, top) & 1U) != 0;
    const std::uint32_t kept = position > top ? 0 : std::min(length, top + 1 - position);
    U field = kept == 0 ? U{0} : static_cast<U>(value >> position);
    if (kept <= top) {
      const U below = static_cast<U>((U{1} << kept) - 1);
      field = static_cast<U>(sign ? (field | ~below) : (field & below));
    }
    return static_cast<T>(field);
  }
};
template <typename T>
struct Bfi {
  T operator()(T field, T into, std::uint32_t position, std::uint32_t length) const {
    constexpr std::uint32_t width = 8 * sizeof(T);
    position = field_operand<T>(position);
    length = field_operand<T>(length);
    if (position >= width || length == 0) return into;
    const T ones = length >= width ? static_cast<T>(~T{0}) : static_cast<T>((T{1} << length) - 1);
    const T mask = static_cast<T>(ones << position);
    return static_cast<T>((into & ~mask) | (static_cast<T>(field << position) & mask));
  }
};
/// bfind: position of the highest bit that is not a copy of the sign; all ones when there is none.
template <typename T>
struct Bfind {
  std::uint32_t operator()(T a) const {
    using U = std::make_unsigned_t<T>;
    const U value = a < 0 ? static_cast<U>(~static_cast<U>(a)) : static_cast<U>(a);
    return value == 0 ? ~0U
                      : static_cast<std::uint32_t>(8 * sizeof(T) - 1 - static_cast<unsigned>(std::countl_zero(value)));
  }
};
template <typename T>
struct BfindShift {
  std::uint32_t operator()(T a) const {
    const std::uint32_t position = Bfind<T>{}(a);
    return position == ~0U ? position : static_cast<std::uint32_t>(8 * sizeof(T) - 1) - position;
  }
};

/// prmt, default mode: each nibble of the selector picks one of eight bytes; its top bit replicates the sign.
struct Prmt {
  std::uint32_t operator()(std::uint32_t a, std::uint32_t b, std::uint32_t selector) const {
    const std::uint64_t bytes = std::uint64_t{b} << 32U | a;
    std::uint32_t result = 0;
    for (unsigned i = 0; i < 4; ++i) {
      const std::uint32_t pick = selector >> 4 * i & 0xfU;
      std::uint32_t byte = static_cast<std::uint32_t>(bytes >> 8 * (pick & 7U)) & 0xffU;
      if ((pick & 8U) != 0) byte = (byte & 0x80U) != 0 ? 0xffU : 0U;
      result |= byte << 8 * i;
    }
    return result;
  }
};

/// prmt with a mode: the two low bits of the selector say where the four bytes begin, or where they stop changing.
template <kernel::PermuteMode Mode>
struct PrmtMode {
  std::uint32_t operator()(std::uint32_t a, std::uint32_t b, std::uint32_t selector) const {
    using kernel::PermuteMode;
    const std::uint64_t bytes = std::uint64_t{b} << 32U | a;
    const std::uint32_t from = selector & 3U;
    if constexpr (Mode == PermuteMode::f4e) return static_cast<std::uint32_t>(bytes >> 8 * from);
    if constexpr (Mode == PermuteMode::rc8) return (a >> 8 * from & 0xffU) * 0x01010101U;
    if constexpr (Mode == PermuteMode::rc16) return (a >> 16 * (from & 1U) & 0xffffU) * 0x00010001U;
    std::uint32_t result = 0;
    for (std::uint32_t i = 0; i < 4; ++i) {
      std::uint32_t pick = (from - i) & 7U;
      if constexpr (Mode == PermuteMode::ecl) pick = std::max(i, from);
      if constexpr (Mode == PermuteMode::ecr) pick = std::min(i, from);
      result |= (static_cast<std::uint32_t>(bytes >> 8 * pick) & 0xffU) << 8 * i;
    }
    return result;
  }
};

/// bmsk: `width` ones from bit `position` up. .clamp treats numbers above 32 as 32, .wrap modulo 32.
template <bool Wrap>
struct Bmsk {
  std::uint32_t operator()(std::uint32_t position, std::uint32_t width) const {
    const std::uint32_t from = Wrap ? (position & 31U) : std::min(position, 32U);
    const std::uint32_t count = Wrap ? (width & 31U) : std::min(width, 32U);
    const std::uint64_t ones = (std::uint64_t{1} << count) - 1;
    return static_cast<std::uint32_t>(ones << from);
  }
};

/// szext: the low `width` bits, filled up with zeros, or with the topmost of them.
template <typename T, bool Wrap>
struct Szext {
  T operator()(T a, std::uint32_t width) const {
    const std::uint32_t kept = Wrap ? (width & 31U) : std::min(width, 32U);
    if (kept == 0) return 0;
    return static_cast<T>(static_cast<T>(static_cast<std::uint32_t>(a) << (32 - kept)) >> (32 - kept));
  }
};

/// fns: the place of the offset-th set bit of `mask`, counted upwards from `base`, or downwards when negative; 0: the
/// bit at `base` itself. All ones when there is none.
struct Fns {
  std::uint32_t operator()(std::uint32_t mask, std::uint32_t base, std::int32_t offset) const {
    if (base > 31) return ~0U;
    const bool down = offset < 0;
    std::uint32_t left = mask & (down ? ~0U >> (31 - base) : ~0U << base);
    if (offset == 0) return (mask >> base & 1U) != 0 ? base : ~0U;
    const std::uint32_t wanted = down ? 0U - static_cast<std::uint32_t>(offset) : static_cast<std::uint32_t>(offset);
    if (wanted > static_cast<std::uint32_t>(std::popcount(left))) return ~0U;
    const auto outermost = [&] { return down ? 31 - std::countl_zero(left) : std::countr_zero(left); };
    for (std::uint32_t i = 1; i < wanted; ++i) left &= ~(1U << outermost());
    return static_cast<std::uint32_t>(outermost());
  }
};

/// shf: funnel shift of the pair (high b, low a). .wrap takes the amount modulo 32, .clamp at most 32.
template <bool Left, bool Wrap>
struct Shf {
  std::uint32_t operator()(std::uint32_t a, std::uint32_t b, std::uint32_t by) const {
    const std::uint32_t amount = Wrap ? (by & 31U) : std::min(by, 32U);
    const std::uint64_t pair = std::uint64_t{b} << 32U | a;
    return Left ? static_cast<std::uint32_t>(pair << amount >> 32U) : static_cast<std::uint32_t>(pair >> amount);
  }
};

void lop3(const Instruction& instruction, ExecutionContext& context, LaneMask mask) {
  const Reader<std::uint32_t> a(context, instruction.source[0]);
  const Reader<std::uint32_t> b(context, instruction.source[1]);
  const Reader<std::uint32_t> c(context, instruction.source[2]);
  const auto table = static_cast<std::uint32_t>(instruction.offset);
  alignas(64) std::uint32_t result[warp_size] = {};
  for (unsigned term = 0; term < 8; ++term) {
    if ((table >> term & 1U) == 0) continue;
    const std::uint32_t flip_a = (term & 4U) != 0 ? 0U : ~0U;
    const std::uint32_t flip_b = (term & 2U) != 0 ? 0U : ~0U;
    const std::uint32_t flip_c = (term & 1U) != 0 ? 0U : ~0U;
    for (unsigned lane = 0; lane < warp_size; ++lane) {
      result[lane] |= (a[lane] ^ flip_a) & (b[lane] ^ flip_b) & (c[lane] ^ flip_c);
    }
  }
  if (instruction.destination[0].present()) {
    write_lanes<std::uint32_t>(context, instruction.destination[0], result, mask);
  }
  if (instruction.boolean == kernel::Boolean::none) return;
  LaneMask any = 0;
  for (unsigned lane = 0; lane < warp_size; ++lane) any |= (result[lane] != 0 ? LaneMask{1} : LaneMask{0}) << lane;
  const LaneMask with = predicate(instruction, context, 3);
  const LaneMask value = instruction.boolean == kernel::Boolean::and_ ? any & with : any | with;
  write_predicate(context, instruction.destination[1], value, mask);
}

template <typename F>
Operation bitwise2(DataType type) {
  switch (kernel::bytes_of(type)) {
    case 2:
      return &lanewise<F, std::uint16_t, std::uint16_t, std::uint16_t>;
    case 4:
      return &lanewise<F, std::uint32_t, std::uint32_t, std::uint32_t>;
    case 8:
      return &lanewise<F, std::uint64_t, std::uint64_t, std::uint64_t>;
    default:
      return nullptr;
  }
}

template <typename F>
Operation bitwise1(DataType type) {
  switch (kernel::bytes_of(type)) {
    case 2:
      return &lanewise<F, std::uint16_t, std::uint16_t>;
    case 4:
      return &lanewise<F, std::uint32_t, std::uint32_t>;
    case 8:
      return &lanewise<F, std::uint64_t, std::uint64_t>;
    default:
      return nullptr;
  }
}

template <typename F>
void predicates2(const Instruction& instruction, ExecutionContext& context, LaneMask mask) {
  const LaneMask value = F{}(predicate(instruction, context, 0), predicate(instruction, context, 1));
  write_predicate(context, instruction.destination[0], value, mask);
}

void not_predicate(const Instruction& instruction, ExecutionContext& context, LaneMask mask) {
  write_predicate(context, instruction.destination[0], ~predicate(instruction, context, 0), mask);
}

Operation shift_left(DataType type) {
  switch (kernel::bytes_of(type)) {
    case 2:
      return &lanewise<Shl, std::uint16_t, std::uint16_t, std::uint32_t>;
    case 4:
      return &lanewise<Shl, std::uint32_t, std::uint32_t, std::uint32_t>;
    case 8:
      return &lanewise<Shl, std::uint64_t, std::uint64_t, std::uint32_t>;
    default:
      return nullptr;
  }
}

Operation shift_right(DataType type) {
  switch (type) {
    case DataType::b16:
    case DataType::u16:
      return &lanewise<ShrLogical, std::uint16_t, std::uint16_t, std::uint32_t>;
    case DataType::b32:
    case DataType::u32:
      return &lanewise<ShrLogical, std::uint32_t, std::uint32_t, std::uint32_t>;
    case DataType::b64:
    case DataType::u64:
      return &lanewise<ShrLogical, std::uint64_t, std::uint64_t, std::uint32_t>;
    case DataType::s16:
      return &lanewise<ShrArithmetic, std::int16_t, std::int16_t, std::uint32_t>;
    case DataType::s32:
      return &lanewise<ShrArithmetic, std::int32_t, std::int32_t, std::uint32_t>;
    case DataType::s64:
      return &lanewise<ShrArithmetic, std::int64_t, std::int64_t, std::uint32_t>;
    default:
      return nullptr;
  }
}

template <template <typename> typename F>
Operation count_bits(DataType type) {
  switch (kernel::bytes_of(type)) {
    case 4:
      return &lanewise<F<std::uint32_t>, std::uint32_t, std::uint32_t>;
    case 8:
      return &lanewise<F<std::uint64_t>, std::uint32_t, std::uint64_t>;
    default:
      return nullptr;
  }
}

template <template <typename> typename F>
Operation find_bit(DataType type) {
  switch (type) {
    case DataType::u32:
      return &lanewise<F<std::uint32_t>, std::uint32_t, std::uint32_t>;
    case DataType::s32:
      return &lanewise<F<std::int32_t>, std::uint32_t, std::int32_t>;
    case DataType::u64:
      return &lanewise<F<std::uint64_t>, std::uint32_t, std::uint64_t>;
    case DataType::s64:
      return &lanewise<F<std::int64_t>, std::uint32_t, std::int64_t>;
    default:
      return nullptr;
  }
}

Operation extract_field(DataType type) {
  switch (type) {
    case DataType::u32:
      return &lanewise<Bfe<std::uint32_t>, std::uint32_t, std::uint32_t, std::uint32_t, std::uint32_t>;
    case DataType::s32:
      return &lanewise<Bfe<std::int32_t>, std::int32_t, std::int32_t, std::uint32_t, std::uint32_t>;
    case DataType::u64:
      return &lanewise<Bfe<std::uint64_t>, std::uint64_t, std::uint64_t, std::uint32_t, std::uint32_t>;
    case DataType::s64:
      return &lanewise<Bfe<std::int64_t>, std::int64_t, std::int64_t, std::uint32_t, std::uint32_t>;
    default:
      return nullptr;
  }
}

Operation insert_field(DataType type) {
  switch (kernel::bytes_of(type)) {
    case 4:
      return &lanewise<Bfi<std::uint32_t>, std::uint32_t, std::uint32_t, std::uint32_t, std::uint32_t, std::uint32_t>;
    case 8:
      return &lanewise<Bfi<std::uint64_t>, std::uint64_t, std::uint64_t, std::uint64_t, std::uint32_t, std::uint32_t>;
    default:
      return nullptr;
  }
}

Operation permute(kernel::PermuteMode mode) {
  using kernel::PermuteMode;
  using W = std::uint32_t;
  switch (mode) {
    case PermuteMode::none:
      return &lanewise<Prmt, W, W, W, W>;
    case PermuteMode::f4e:
      return &lanewise<PrmtMode<PermuteMode::f4e>, W, W, W, W>;
    case PermuteMode::b4e:
      return &lanewise<PrmtMode<PermuteMode::b4e>, W, W, W, W>;
    case PermuteMode::rc8:
      return &lanewise<PrmtMode<PermuteMode::rc8>, W, W, W, W>;
    case PermuteMode::ecl:
      return &lanewise<PrmtMode<PermuteMode::ecl>, W, W, W, W>;
    case PermuteMode::ecr:
      return &lanewise<PrmtMode<PermuteMode::ecr>, W, W, W, W>;
    case PermuteMode::rc16:
      return &lanewise<PrmtMode<PermuteMode::rc16>, W, W, W, W>;
  }
  return nullptr;
}

template <typename T>
Operation sign_or_zero_extend(bool wraps) {
  return wraps ? &lanewise<Szext<T, true>, T, T, std::uint32_t> : &lanewise<Szext<T, false>, T, T, std::uint32_t>;
}

Operation funnel_shift(unsigned variant) {
  switch (variant) {
    case 0:
      return &lanewise<Shf<true, false>, std::uint32_t, std::uint32_t, std::uint32_t, std::uint32_t>;
    case 1:
      return &lanewise<Shf<true, true>, std::uint32_t, std::uint32_t, std::uint32_t, std::uint32_t>;
    case 2:
      return &lanewise<Shf<false, false>, std::uint32_t, std::uint32_t, std::uint32_t, std::uint32_t>;
    case 3:
      return &lanewise<Shf<false, true>, std::uint32_t, std::uint32_t, std::uint32_t, std::uint32_t>;
    default:
      return nullptr;
  }
}

}  // namespace

Operation select_logic(const Instruction& instruction) {
  const DataType type = instruction.type;
  const bool on_predicates = type == DataType::pred;
  switch (instruction.opcode) {
    case Opcode::and_:
      return on_predicates ? &predicates2<And> : bitwise2<And>(type);
    case Opcode::or_:
      return on_predicates ? &predicates2<Or> : bitwise2<Or>(type);
    case Opcode::xor_:
      return on_predicates ? &predicates2<Xor> : bitwise2<Xor>(type);
    case Opcode::not_:
      return on_predicates ? &not_predicate : bitwise1<Not>(type);
    case Opcode::cnot:
      return bitwise1<Cnot>(type);
    case Opcode::shl:
      return shift_left(type);
    case Opcode::shr:
      return shift_right(type);
    case Opcode::popc:
      return count_bits<Popc>(type);
    case Opcode::clz:
      return count_bits<Clz>(type);
    case Opcode::brev:
      return kernel::bytes_of(type) == 8 ? &lanewise<Brev<std::uint64_t>, std::uint64_t, std::uint64_t>
                                         : &lanewise<Brev<std::uint32_t>, std::uint32_t, std::uint32_t>;
    case Opcode::bfe:
      return extract_field(type);
    case Opcode::bfi:
      return insert_field(type);
    case Opcode::bfind:
      return instruction.variant == 1 ? find_bit<BfindShift>(type) : find_bit<Bfind>(type);
    case Opcode::prmt:
      return permute(static_cast<kernel::PermuteMode>(instruction.variant));
    case Opcode::bmsk:
      return instruction.variant == 1 ? &lanewise<Bmsk<true>, std::uint32_t, std::uint32_t, std::uint32_t>
                                      : &lanewise<Bmsk<false>, std::uint32_t, std::uint32_t, std::uint32_t>;
    case Opcode::szext:
      return type == DataType::s32 ? sign_or_zero_extend<std::int32_t>(instruction.variant == 1)
                                   : sign_or_zero_extend<std::uint32_t>(instruction.variant == 1);
    case Opcode::fns:
      return &lanewise<Fns, std::uint32_t, std::uint32_t, std::uint32_t, std::int32_t>;
    case Opcode::lop3:
      return &lop3;
    case Opcode::shf:
      return funnel_shift(instruction.variant);
    default:
      return nullptr;
  }
}

}  // namespace reconverge::operations
