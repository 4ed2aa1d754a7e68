// SPDX-License-Identifier: Apache-2.0
#include "tests/unit/operations/oracle.hpp"

#include <fmt/format.h>
#include <mpfr.h>

#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <stdexcept>

#include "models/execution/operations/operation.hpp"

namespace reconverge::tests {

namespace {

/// The bit layout of a floating-point format.
struct Format {
  int exponent_bits;
  int fraction_bits;

  int bias() const { return (1 << (exponent_bits - 1)) - 1; }
  int width() const { return 1 + exponent_bits + fraction_bits; }
  std::uint64_t infinity() const { return ((std::uint64_t{1} << exponent_bits) - 1) << fraction_bits; }
  std::uint64_t sign() const { return std::uint64_t{1} << (width() - 1); }
};

Format format_of(DataType type) {
  switch (type) {
    case DataType::f16:
      return {5, 10};
    case DataType::bf16:
      return {8, 7};
    case DataType::f64:
      return {11, 52};
    default:
      return {8, 23};
  }
}

/// An MPFR number, freed by the destructor.
class Big {
 public:
  explicit Big(mpfr_prec_t precision) { mpfr_init2(value_, precision); }
  explicit Big(double value) : Big(mpfr_prec_t{53}) { mpfr_set_d(value_, value, MPFR_RNDN); }
  ~Big() { mpfr_clear(value_); }
  Big(const Big&) = delete;
  Big& operator=(const Big&) = delete;
  operator mpfr_ptr() { return value_; }

 private:
  mpfr_t value_;
};

/// Sets MPFR's exponent range to that of a format, for one operation.
class ExponentScope {
 public:
  explicit ExponentScope(Format format) : lowest_(mpfr_get_emin()), highest_(mpfr_get_emax()) {
    mpfr_set_emin(2 - format.bias() - format.fraction_bits);
    mpfr_set_emax(format.bias() + 1);
  }
  ~ExponentScope() {
    mpfr_set_emin(lowest_);
    mpfr_set_emax(highest_);
  }
  ExponentScope(const ExponentScope&) = delete;
  ExponentScope& operator=(const ExponentScope&) = delete;

 private:
  mpfr_exp_t lowest_;
  mpfr_exp_t highest_;
};

mpfr_rnd_t direction_of(Rounding rounding) {
  switch (rounding) {
    case Rounding::rz:
    case Rounding::rzi:
      return MPFR_RNDZ;
    case Rounding::rm:
    case Rounding::rmi:
      return MPFR_RNDD;
    case Rounding::rp:
    case Rounding::rpi:
      return MPFR_RNDU;
    default:
      return MPFR_RNDN;
  }
}

/// `compute(result, direction)` writes a result of the precision of `type` and returns MPFR's ternary value.
template <typename Compute>
std::uint64_t rounded(DataType type, Rounding rounding, Compute compute) {
  const Format format = format_of(type);
  const mpfr_rnd_t direction = direction_of(rounding);
  Big result(mpfr_prec_t{format.fraction_bits + 1});
  const ExponentScope scope(format);
  const int ternary = mpfr_check_range(result, compute(result, direction), direction);
  mpfr_subnormalize(result, ternary, direction);
  return bits_of(mpfr_get_d(result, MPFR_RNDN), type);
}

int compute(Opcode opcode, mpfr_ptr result, mpfr_ptr a, mpfr_ptr b, mpfr_ptr c, mpfr_rnd_t direction) {
  switch (opcode) {
    case Opcode::add:
      return mpfr_add(result, a, b, direction);
    case Opcode::sub:
      return mpfr_sub(result, a, b, direction);
    case Opcode::mul:
      return mpfr_mul(result, a, b, direction);
    case Opcode::fma:
      return mpfr_fma(result, a, b, c, direction);
    case Opcode::div:
      return mpfr_div(result, a, b, direction);
    case Opcode::rcp:
      return mpfr_ui_div(result, 1, a, direction);
    case Opcode::sqrt:
      return mpfr_sqrt(result, a, direction);
    case Opcode::rsqrt:
      if (mpfr_zero_p(a) != 0) return mpfr_ui_div(result, 1, a, direction);  // MPFR drops the sign, PTX keeps it
      return mpfr_rec_sqrt(result, a, direction);
    case Opcode::sin:
      return mpfr_sin(result, a, direction);
    case Opcode::cos:
      return mpfr_cos(result, a, direction);
    case Opcode::ex2:
      return mpfr_exp2(result, a, direction);
    case Opcode::lg2:
      return mpfr_log2(result, a, direction);
    default:
      return mpfr_tanh(result, a, direction);
  }
}

std::int64_t extended(std::uint64_t bits, DataType type) {
  const unsigned unused = 64 - 8 * kernel::bytes_of(type);
  return static_cast<std::int64_t>(bits << unused) >> unused;
}

}  // namespace

kernel::Instruction instruction_of(Opcode opcode, DataType type, Rounding rounding, DataType source_type) {
  kernel::Instruction instruction;
  instruction.opcode = opcode;
  instruction.type = type;
  instruction.source_type = source_type;
  instruction.rounding = rounding;
  for (unsigned i = 0; i < 3; ++i) instruction.source[i] = kernel::Operand(kernel::Bank::reg, 2 * i);
  instruction.destination[0] = kernel::Operand(kernel::Bank::reg, 6);
  return instruction;
}

namespace {

Values run_on(VectorUnits units, const kernel::Instruction& instruction, const std::array<Values, 3>& sources) {
  struct alignas(64) Rows {
    std::uint32_t word[8][warp_size] = {};
  } rows;
  for (unsigned i = 0; i < sources.size(); ++i) {
    for (unsigned lane = 0; lane < warp_size; ++lane) {
      rows.word[2 * i][lane] = static_cast<std::uint32_t>(sources[i][lane]);
      rows.word[2 * i + 1][lane] = static_cast<std::uint32_t>(sources[i][lane] >> 32U);
    }
  }
  kernel::Program program;
  program.instructions = {instruction};
  program.text = {"the instruction under test"};
  ExecutionContext context;
  context.bank[0] = reinterpret_cast<std::byte*>(rows.word);
  select_operation(program, program.instructions[0], units)(program.instructions[0], context, all_lanes);
  Values result{};
  const unsigned width = 8 * kernel::bytes_of(instruction.type);
  for (unsigned lane = 0; lane < warp_size; ++lane) {
    const std::uint64_t bits = std::uint64_t{rows.word[7][lane]} << 32U | rows.word[6][lane];
    result[lane] = width == 64 ? bits : bits & ((std::uint64_t{1} << width) - 1);
  }
  return result;
}

}  // namespace

Values run(const kernel::Instruction& instruction, const std::array<Values, 3>& sources) {
  const Values result = run_on(VectorUnits::as_built, instruction, sources);
  const VectorUnits widest = host_vector_units();
  if (widest != VectorUnits::as_built && run_on(widest, instruction, sources) != result) {
    throw std::logic_error(
        fmt::format("{} and {} give different results", name_of(widest), name_of(VectorUnits::as_built)));
  }
  return result;
}

double number_of(std::uint64_t bits, DataType type) {
  const Format format = format_of(type);
  const double sign = (bits & format.sign()) != 0 ? -1 : 1;
  const std::uint64_t magnitude = bits & (format.sign() - 1);
  if (magnitude > format.infinity()) return std::numeric_limits<double>::quiet_NaN();
  if (magnitude == format.infinity()) return sign * std::numeric_limits<double>::infinity();
  const auto field = static_cast<int>(magnitude >> format.fraction_bits);
  const std::uint64_t fraction = magnitude & ((std::uint64_t{1} << format.fraction_bits) - 1);
  const std::uint64_t significand = fraction | std::uint64_t{field != 0 ? 1U : 0U} << format.fraction_bits;
  const int exponent = (field == 0 ? 1 : field) - format.bias() - format.fraction_bits;
  return sign * std::ldexp(static_cast<double>(significand), exponent);
}

std::uint64_t bits_of(double number, DataType type) {
  const Format format = format_of(type);
  if (std::isnan(number)) return format.sign() - 1;
  const std::uint64_t sign = std::signbit(number) ? format.sign() : 0;
  if (std::isinf(number)) return sign | format.infinity();
  if (number == 0) return sign;
  const int lowest = 1 - format.bias();
  const int exponent = std::max(std::ilogb(number), lowest);
  const double significand = std::ldexp(std::abs(number), format.fraction_bits - exponent);
  const auto field = static_cast<std::uint64_t>(exponent - lowest) << format.fraction_bits;
  return sign | (field + static_cast<std::uint64_t>(significand));
}

std::uint64_t expected(Opcode opcode, DataType type, Rounding rounding, const std::array<std::uint64_t, 3>& sources) {
  Big a(number_of(sources[0], type));
  Big b(number_of(sources[1], type));
  Big c(number_of(sources[2], type));
  return rounded(type, rounding,
                 [&](mpfr_ptr result, mpfr_rnd_t direction) { return compute(opcode, result, a, b, c, direction); });
}

std::uint64_t expected_float(DataType to, DataType from, Rounding rounding, std::uint64_t source) {
  Big value(mpfr_prec_t{64});
  if (kernel::is_float(from)) {
    mpfr_set_d(value, number_of(source, from), MPFR_RNDN);
  } else if (kernel::is_signed(from)) {
    mpfr_set_si(value, extended(source, from), MPFR_RNDN);
  } else {
    mpfr_set_ui(value, source, MPFR_RNDN);
  }
  return rounded(to, rounding,
                 [&](mpfr_ptr result, mpfr_rnd_t direction) { return mpfr_set(result, value, direction); });
}

std::uint64_t expected_integer(DataType to, DataType from, Rounding rounding, std::uint64_t source) {
  const unsigned width = 8 * kernel::bytes_of(to);
  Big value(number_of(source, from));
  Big integral(mpfr_prec_t{53});
  mpfr_rint(integral, value, direction_of(rounding));
  if (kernel::is_signed(to)) {
    const std::int64_t highest = std::numeric_limits<std::int64_t>::max() >> (64 - width);
    const std::int64_t lowest = -highest - 1;
    if (mpfr_cmp_si(integral, highest) >= 0) return static_cast<std::uint64_t>(highest);
    if (mpfr_cmp_si(integral, lowest) <= 0) {
      return static_cast<std::uint64_t>(lowest) & std::numeric_limits<std::uint64_t>::max() >> (64 - width);
    }
    return static_cast<std::uint64_t>(mpfr_get_si(integral, MPFR_RNDZ)) &
           std::numeric_limits<std::uint64_t>::max() >> (64 - width);
  }
  const std::uint64_t highest = std::numeric_limits<std::uint64_t>::max() >> (64 - width);
  if (mpfr_sgn(static_cast<mpfr_ptr>(integral)) <= 0) return 0;
  return mpfr_cmp_ui(integral, highest) >= 0 ? highest : mpfr_get_ui(integral, MPFR_RNDZ);
}

std::uint64_t Operands::next(std::uint64_t close_to) {
  const Format format = format_of(type_);
  const std::uint64_t fraction_mask = (std::uint64_t{1} << format.fraction_bits) - 1;
  const std::uint64_t random = random_();
  const std::uint64_t sign = (random_() & 1U) != 0 ? format.sign() : 0;
  const std::uint64_t edges[] = {0,
                                 1,
                                 2,
                                 fraction_mask,
                                 fraction_mask + 1,
                                 fraction_mask + 2,
                                 format.infinity() - 1,
                                 format.infinity(),
                                 format.infinity() + 1,
                                 format.sign() - 1,
                                 static_cast<std::uint64_t>(format.bias()) << format.fraction_bits};
  switch (random % 8) {
    case 0:
      return sign | edges[random_() % std::size(edges)];
    case 1:  // a long run of equal bits in the fraction: ties and near ties
    case 2: {
      const std::uint64_t run = ~std::uint64_t{0} << (random_() % static_cast<unsigned>(format.fraction_bits + 1));
      const std::uint64_t fraction = ((random_() & 1U) != 0 ? run : ~run) & fraction_mask;
      const std::uint64_t near = ((random_() & 1U) != 0 ? close_to : random_()) & format.infinity();
      return sign | near | fraction;
    }
    case 3:
    case 4: {  // an exponent near that of the other operand
      const std::uint64_t field = (close_to & format.infinity()) >> format.fraction_bits;
      const std::uint64_t shifted =
          field + random_() % 5 + (random_() & 1U) * static_cast<unsigned>(format.fraction_bits);
      const std::uint64_t highest = format.infinity() >> format.fraction_bits;
      const std::uint64_t lower = shifted < 2 ? 0 : shifted - 2;
      return sign | (lower < highest ? lower : highest - 1) << format.fraction_bits | (random_() & fraction_mask);
    }
    default:
      return random_() & (2 * format.sign() - 1);
  }
}

Values Operands::warp() {
  Values values{};
  for (std::uint64_t& value : values) value = next(value);
  return values;
}

}  // namespace reconverge::tests
