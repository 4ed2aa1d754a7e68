// SPDX-License-Identifier: Apache-2.0
#include "models/execution/operations/lanewise.hpp"

// add, sub and mad that write or read the condition code. CC.CF is the carry of a sum of unsigned numbers of the width
// of the type. As on NVIDIA's GPUs a difference is the sum a + ~b + 1, so its carry is 1 if nothing is borrowed, and
// subc is a + ~b + CC.CF (models/kernel/README.md, departure 4).

namespace reconverge::operations {

namespace {

using kernel::Half;
using kernel::Opcode;

__extension__ using Int128 = __int128;
__extension__ using Uint128 = unsigned __int128;

struct SumOf {
  static constexpr unsigned operands = 2;
  template <typename T>
  static std::make_unsigned_t<T> left(T a, T /*b*/) {
    return static_cast<std::make_unsigned_t<T>>(a);
  }
};
struct LowProduct {
  static constexpr unsigned operands = 3;
  template <typename T>
  static std::make_unsigned_t<T> left(T a, T b) {
    return static_cast<std::make_unsigned_t<T>>(a) * static_cast<std::make_unsigned_t<T>>(b);
  }
};
struct HighProduct {
  static constexpr unsigned operands = 3;
  template <typename T>
  static std::make_unsigned_t<T> left(T a, T b) {
    using Wide = std::conditional_t<std::is_signed_v<T>, Int128, Uint128>;
    return static_cast<std::make_unsigned_t<T>>(static_cast<Wide>(a) * static_cast<Wide>(b) >> (8 * sizeof(T)));
  }
};

/// left + right + carry, where `Left` computes left from all operands but the last, which is right; for a difference
/// left + ~right + carry, with a carry of 1 if it reads none.
template <typename Left, bool Subtracts, typename T>
void chain(const Instruction& instruction, ExecutionContext& context, LaneMask mask) {
  using U = std::make_unsigned_t<T>;
  constexpr unsigned last = Left::operands - 1;
  const bool reads = instruction.source[Left::operands].present();
  constexpr LaneMask unread = Subtracts ? all_lanes : 0;
  const LaneMask carries = reads ? predicate(instruction, context, Left::operands) : unread;
  const Reader<T> a(context, instruction.source[0]);
  const Reader<T> b(context, instruction.source[1]);
  const Reader<T> c(context, instruction.source[last]);
  alignas(64) T result[warp_size];
  LaneMask out = 0;
  for (unsigned lane = 0; lane < warp_size; ++lane) {
    const U left = Left::template left<T>(a[lane], b[lane]);
    const U right = static_cast<U>(Subtracts ? ~c[lane] : c[lane]);
    const U in = carries >> lane & 1U;
    const U sum = left + right + in;
    // With a carry in, a sum that equals its left operand has also overflowed.
    const bool over = sum < left || (in != 0 && sum == left);
    result[lane] = static_cast<T>(sum);
    out |= (over ? LaneMask{1} : LaneMask{0}) << lane;
  }
  write_lanes<T>(context, instruction.destination[0], result, mask);
  write_predicate(context, instruction.destination[1], out, mask);
}

template <typename Left, bool Subtracts>
Operation by_type(DataType type) {
  switch (type) {
    case DataType::u32:
      return &chain<Left, Subtracts, std::uint32_t>;
    case DataType::s32:
      return &chain<Left, Subtracts, std::int32_t>;
    case DataType::u64:
      return &chain<Left, Subtracts, std::uint64_t>;
    case DataType::s64:
      return &chain<Left, Subtracts, std::int64_t>;
    default:
      return nullptr;
  }
}

}  // namespace

bool uses_carry(const Instruction& instruction) {
  const bool is_mad = instruction.opcode == Opcode::mad;
  const bool is_sum = instruction.opcode == Opcode::add || instruction.opcode == Opcode::sub;
  return (is_mad || is_sum) && (instruction.destination[1].present() || instruction.source[is_mad ? 3 : 2].present());
}

Operation select_carry(const Instruction& instruction) {
  switch (instruction.opcode) {
    case Opcode::add:
      return by_type<SumOf, false>(instruction.type);
    case Opcode::sub:
      return by_type<SumOf, true>(instruction.type);
    default:
      return instruction.half == Half::hi ? by_type<HighProduct, false>(instruction.type)
                                          : by_type<LowProduct, false>(instruction.type);
  }
}

}  // namespace reconverge::operations
