// SPDX-License-Identifier: Apache-2.0
#include "models/execution/operations/half.hpp"

#include <cmath>

#include "models/execution/operations/lanewise.hpp"
#include "models/execution/operations/minimum.hpp"
#include "models/kernel/decode/float_modifier.hpp"

// Arithmetic on f16, bf16 and pairs of them: widened, computed, rounded once. Compiled with -ffp-contract=off, like the
// whole tree: the error of a sum must not be fused away.

namespace reconverge::operations {

namespace {

using kernel::FloatModifier;
using kernel::Opcode;

struct Add {
  double operator()(double a, double b) const { return odd_sum(a, b); }
};
struct Sub {
  double operator()(double a, double b) const { return odd_sum(a, -b); }
};
struct Mul {
  double operator()(double a, double b) const { return a * b; }
};
struct Fma {
  double operator()(double a, double b, double c) const { return odd_sum(a * b, c); }
};
// No result for a value of 16 bits is so close to the middle of two others that f64 would round it wrongly: a test
// tries all.
struct Ex2 {
  double operator()(double a) const { return std::exp2(a); }
};
struct Tanh {
  double operator()(double a) const { return std::tanh(a); }
};

/// PTX's treatment of operands and result in addition to rounding.
struct Treatment {
  explicit Treatment(const Instruction& instruction)
      : flush(instruction.flush_subnormals),
        saturate(instruction.saturate),
        relu(has(instruction, FloatModifier::relu)) {}
  bool flush;
  bool saturate;
  bool relu;
};

template <typename H>
H flushed(H value) {
  const bool subnormal = (value.bits & H::infinity) == 0;
  return {static_cast<std::uint16_t>(subnormal ? value.bits & half_sign : value.bits)};
}

template <typename H>
H treated(H value, Treatment treatment) {
  const bool is_nan = half_is_nan(value);
  const bool negative = (value.bits & half_sign) != 0;
  if (treatment.flush) value = flushed(value);
  if (treatment.saturate) {
    const auto clamped = static_cast<std::uint16_t>(value.bits < H::one ? value.bits : H::one);
    value.bits = is_nan || negative ? std::uint16_t{0} : clamped;
  }
  if (treatment.relu && negative && !is_nan) value.bits = 0;
  return value;
}

/// PTX .ftz of a result, as for f32 (`flush_rounded`): GPUs flush what is subnormal when rounded with an unbounded
/// exponent. The limit lies in the middle between the lowest normal number and the number below it.
template <typename H>
H flush_rounded(double exact) {
  constexpr double lowest = std::bit_cast<double>(std::uint64_t{1024 - H::bias} << 52U);
  constexpr double limit = lowest - lowest / (4 << H::fraction_bits);
  H value = narrow<H>(exact);
  if (std::abs(exact) < limit) value.bits &= half_sign;
  return value;
}

template <typename F, typename H, typename... Rest>
H compute(Treatment treatment, H a, Rest... rest) {
  if (treatment.flush) return treated(flush_rounded<H>(F{}(widen(flushed(a)), widen(flushed(rest))...)), treatment);
  return treated(narrow<H>(F{}(widen(a), widen(rest)...)), treatment);
}

template <typename H>
H half_of(std::uint32_t word, unsigned part) {
  return {static_cast<std::uint16_t>(word >> (16 * part))};
}

/// destination[0] = F(sources...) on the low half of each word, and on the high half too for a pair.
template <typename F, typename H, unsigned Parts, std::size_t... I>
void halfwise(const Instruction& instruction, ExecutionContext& context, LaneMask mask,
              std::index_sequence<I...> /*sources*/) {
  const Treatment treatment(instruction);
  const std::array<Reader<std::uint32_t>, sizeof...(I)> sources = {
      Reader<std::uint32_t>(context, instruction.source[I])...};
  alignas(64) std::uint32_t result[warp_size] = {};
  for (unsigned part = 0; part < Parts; ++part) {
    for (unsigned lane = 0; lane < warp_size; ++lane) {
      const H value = compute<F>(treatment, half_of<H>(sources[I][lane], part)...);
      result[lane] |= std::uint32_t{value.bits} << (16 * part);
    }
  }
  write_lanes<std::uint32_t>(context, instruction.destination[0], result, mask);
}

template <typename F, typename H, unsigned Parts, std::size_t Sources>
void half_operation(const Instruction& instruction, ExecutionContext& context, LaneMask mask) {
  halfwise<F, H, Parts>(instruction, context, mask, std::make_index_sequence<Sources>{});
}

template <typename F, std::size_t Sources>
Operation arithmetic(const Instruction& instruction) {
  switch (instruction.type) {
    case DataType::f16:
      return &half_operation<F, Half, 1, Sources>;
    case DataType::f16x2:
      return &half_operation<F, Half, 2, Sources>;
    case DataType::bf16:
      return &half_operation<F, Bfloat, 1, Sources>;
    case DataType::bf16x2:
      return &half_operation<F, Bfloat, 2, Sources>;
    default:
      return nullptr;
  }
}

template <template <bool> typename M>
Operation extreme(const Instruction& instruction) {
  const bool strict = has(instruction, FloatModifier::nan);
  if (has(instruction, FloatModifier::xorsign_abs)) {
    return strict ? arithmetic<OfMagnitudes<M<true>>, 2>(instruction)
                  : arithmetic<OfMagnitudes<M<false>>, 2>(instruction);
  }
  return strict ? arithmetic<M<true>, 2>(instruction) : arithmetic<M<false>, 2>(instruction);
}

/// abs and neg: only the sign changes; NaN keeps its payload.
template <bool Negate, unsigned Parts, bool Flush>
struct ChangeSign {
  std::uint32_t operator()(std::uint32_t word) const {
    constexpr std::uint32_t signs = Parts == 2 ? 0x80008000U : 0x8000U;
    if constexpr (Flush) {  // only f16
      const std::uint32_t low = flushed(half_of<Half>(word, 0)).bits;
      word = low | std::uint32_t{flushed(half_of<Half>(word, 1)).bits} << 16U;
    }
    const std::uint32_t changed = Negate ? word ^ signs : word & ~signs;
    return Parts == 2 ? changed : changed & 0xffffU;
  }
};

template <bool Negate, unsigned Parts>
Operation sign_change(const Instruction& instruction) {
  using Word = std::uint32_t;
  return instruction.flush_subnormals ? &lanewise<ChangeSign<Negate, Parts, true>, Word, Word>
                                      : &lanewise<ChangeSign<Negate, Parts, false>, Word, Word>;
}

template <bool Negate>
Operation sign_change(const Instruction& instruction) {
  const bool pair = instruction.type == DataType::f16x2 || instruction.type == DataType::bf16x2;
  return pair ? sign_change<Negate, 2>(instruction) : sign_change<Negate, 1>(instruction);
}

}  // namespace

Operation select_half(const Instruction& instruction) {
  switch (instruction.opcode) {
    case Opcode::add:
      return arithmetic<Add, 2>(instruction);
    case Opcode::sub:
      return arithmetic<Sub, 2>(instruction);
    case Opcode::mul:
      return arithmetic<Mul, 2>(instruction);
    case Opcode::fma:
      return arithmetic<Fma, 3>(instruction);
    case Opcode::min:
      return extreme<Min>(instruction);
    case Opcode::max:
      return extreme<Max>(instruction);
    case Opcode::abs:
      return sign_change<false>(instruction);
    case Opcode::neg:
      return sign_change<true>(instruction);
    case Opcode::ex2:
      return arithmetic<Ex2, 1>(instruction);
    case Opcode::tanh:
      return arithmetic<Tanh, 1>(instruction);
    default:
      return nullptr;
  }
}

}  // namespace reconverge::operations
