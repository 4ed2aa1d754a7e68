// SPDX-License-Identifier: Apache-2.0
#include "models/kernel/decode/matrix_forms.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>
#include <string_view>

#include "models/kernel/syntax/type_names.hpp"

namespace reconverge::kernel {

namespace {

/// A register of a fragment: a written one, or an intermediate value.
struct Register {
  const SyntaxOperand* written = nullptr;
  ValueId value = no_value;
};
using Registers = std::vector<Register>;

/// The meaning of the modifiers.
struct Form {
  unsigned m = 0;
  unsigned n = 0;
  unsigned k = 0;
  std::vector<std::string_view> types;

  unsigned depth() const;  ///< steps along k
};

/// A product: types of the elements and the accumulators.
struct Kinds {
  MatrixElement a = MatrixElement::f16;
  MatrixElement b = MatrixElement::f16;
  DataType c = DataType::f32;
  DataType d = DataType::f32;
};

std::optional<MatrixElement> element_named(std::string_view word) {
  return value_named(word, MatrixElement::f16, MatrixElement::e5m2);
}

bool has(const SyntaxInstruction& syntax, std::string_view word) {
  return std::find(syntax.modifiers.begin(), syntax.modifiers.end(), word) != syntax.modifiers.end();
}

// `m16n8k8`: the number after each letter.
bool read_shape(std::string_view word, Form& form) {
  const char* at = word.data();
  const char* const end = word.data() + word.size();
  for (const auto& [letter, number] : {std::pair{'m', &form.m}, {'n', &form.n}, {'k', &form.k}}) {
    if (at == end || *at != letter) return false;
    const auto [next, error] = std::from_chars(at + 1, end, *number);
    if (error != std::errc()) return false;
    at = next;
  }
  return at == end;
}

Form form_of(const SyntaxInstruction& syntax) {
  Form form;
  for (const std::string_view word : syntax.modifiers) {
    if (read_shape(word, form)) continue;
    if (element_named(word) || word == "f32" || word == "s32") form.types.push_back(word);
  }
  return form;
}

// Elements of a line in a step: 128 bits, or 4 doubles.
unsigned step_depth(MatrixElement element) { return element == MatrixElement::f64 ? 4 : 128 / bits_of(element); }

DataType accumulator_named(std::string_view word) { return type_named(word).value_or(DataType::f32); }

// d, a, b, c as written, or d and c of products of f16.
Kinds kinds_of(const Form& form) {
  Kinds kinds;
  kinds.d = accumulator_named(form.types.front());
  kinds.c = accumulator_named(form.types.back());
  if (form.types.size() == 4) {
    kinds.a = element_named(form.types[1]).value_or(MatrixElement::f16);
    kinds.b = element_named(form.types[2]).value_or(MatrixElement::f16);
  }
  return kinds;
}

DataType register_type(MatrixElement element) { return element == MatrixElement::f64 ? DataType::f64 : DataType::b32; }
// Two accumulators of f16 share a register.
DataType register_type(DataType accumulator) { return accumulator == DataType::f16 ? DataType::b32 : accumulator; }

// Registers that hold the accumulators of a step of `rows` rows.
std::size_t accumulators(DataType type, unsigned rows) { return rows / 8 * (type == DataType::f16 ? 1U : 2U); }

Registers part(const Registers& all, std::size_t first, std::size_t count) {
  const auto begin = all.begin() + static_cast<std::ptrdiff_t>(first);
  return {begin, begin + static_cast<std::ptrdiff_t>(count)};
}

Registers written(const std::vector<SyntaxOperand>& operands) {
  Registers result;
  for (const SyntaxOperand& operand : operands) result.push_back({&operand, no_value});
  return result;
}

/// Collects the steps of a product, of `rows` rows each.
class Product {
 public:
  Product(const SyntaxInstruction& syntax, const Work& work, OperandBinder& binder, const Kinds& kinds, unsigned rows)
      : binder_(binder), base_(work), kinds_(kinds), rows_(rows) {
    base_.instruction.opcode = Opcode::mma;
    base_.instruction.operation_class = OperationClass::matrix;
    base_.instruction.saturate = has(syntax, "satfinite");
    if (has(syntax, "xor")) base_.instruction.boolean = Boolean::xor_;
    if (has(syntax, "and")) base_.instruction.boolean = Boolean::and_;
  }

  /// d = a * b + c; a has the rows of each step next to each other.
  void multiply(const Registers& a, const Registers& b, const Registers& c, const Registers& d) {
    const std::size_t halves = rows_ / 8;
    const DataType between = kinds_.c == DataType::f32 ? kinds_.c : kinds_.d;
    Registers sum = c;
    DataType sum_type = kinds_.c;
    for (std::size_t step = 0; step < b.size(); ++step) {
      const bool last = step + 1 == b.size();
      const DataType type = last ? kinds_.d : between;
      Work work = base_;
      Instruction& instruction = work.instruction;
      instruction.type = type;
      instruction.source_type = sum_type;
      instruction.variant = static_cast<std::uint8_t>(static_cast<unsigned>(kinds_.a) | static_cast<unsigned>(kinds_.b)
                                                                                            << matrix_element_bits);
      for (unsigned half = 0; half < halves; ++half) {
        source(work, half, a[halves * step + half], register_type(kinds_.a));
      }
      source(work, 2, b[step], register_type(kinds_.b));
      for (unsigned i = 0; i < sum.size(); ++i) source(work, 3 + i, sum[i], register_type(sum_type));
      Registers result = last ? d : temporaries(type);
      for (unsigned i = 0; i < result.size(); ++i) {
        if (result[i].written == nullptr) {
          binder_.place(work, true, i, result[i].value);
        } else {
          binder_.destination(work, i, *result[i].written, register_type(type));
        }
      }
      steps_.push_back(work);
      sum = std::move(result);
      sum_type = type;
    }
  }

  Registers temporaries(DataType accumulator) {
    Registers result(accumulators(accumulator, rows_));
    const ValueClass value_class = accumulator == DataType::f64 ? ValueClass::wide : ValueClass::narrow;
    for (Register& one : result) one.value = binder_.new_value(value_class);
    return result;
  }

  void copy(const Register& from, const SyntaxOperand& to, DataType accumulator) {
    Work work = base_;
    work.instruction = Instruction();
    work.instruction.guard = base_.instruction.guard;
    work.instruction.guard_negated = base_.instruction.guard_negated;
    work.instruction.opcode = Opcode::mov;
    work.instruction.type = register_type(accumulator);
    binder_.place(work, false, 0, from.value);
    binder_.destination(work, 0, to, work.instruction.type);
    steps_.push_back(work);
  }

  std::vector<Work> take() { return std::move(steps_); }

 private:
  void source(Work& work, unsigned slot, const Register& one, DataType type) {
    if (one.written == nullptr) return binder_.place(work, false, slot, one.value);
    binder_.source(work, slot, *one.written, type);
  }

  OperandBinder& binder_;
  Work base_;
  Kinds kinds_;
  unsigned rows_;
  std::vector<Work> steps_;
};

bool same_register(const SyntaxOperand& a, const SyntaxOperand& b) {
  return a.kind == SyntaxOperand::Kind::name && b.kind == SyntaxOperand::Kind::name && a.name == b.name;
}

bool shares_registers(const std::vector<SyntaxOperand>& d, const std::vector<SyntaxOperand>& others) {
  return std::any_of(d.begin(), d.end(), [&](const SyntaxOperand& one) {
    return std::any_of(others.begin(), others.end(), [&](const auto& other) { return same_register(one, other); });
  });
}

// Whether a tile overwrites an accumulator that a later tile reads.
bool overwrites_sums(const std::vector<SyntaxOperand>& d, const std::vector<SyntaxOperand>& c, std::size_t tiles) {
  for (std::size_t i = 0; i < d.size(); ++i) {
    for (std::size_t j = 0; j < c.size(); ++j) {
      if (j / (c.size() / tiles) > i / (d.size() / tiles) && same_register(d[i], c[j])) return true;
    }
  }
  return false;
}

/// The fragments of a product as written: the number of registers of each.
struct Counts {
  std::size_t a = 0;
  std::size_t b = 0;
  std::size_t c = 0;
  std::size_t d = 0;
};

constexpr std::size_t registers_of_f16 = 8;  // of A and B in wmma, whatever the shape

std::vector<Work> lower_product(const SyntaxInstruction& syntax, const Work& work, OperandBinder& binder) {
  const bool is_wmma = syntax.mnemonic == "wmma";
  const Form form = form_of(syntax);
  Kinds kinds = kinds_of(form);
  // The steps' rows are those of B if A has only eight and B has more.
  const bool swapped = is_wmma && form.n > form.m;
  const unsigned rows = swapped ? form.n : form.m;
  const unsigned columns = swapped ? form.m : form.n;
  const bool doubles = kinds.a == MatrixElement::f64;
  const unsigned step_rows = doubles ? 8 : std::min(rows, 16U);
  const unsigned depth = form.k / step_depth(kinds.a);
  const std::size_t row_registers = std::size_t{rows / 8} * depth;
  const std::size_t column_registers = std::size_t{columns / 8} * depth;
  const std::size_t tiles = std::size_t{rows / step_rows} * (columns / 8);
  Counts counts{row_registers, column_registers, tiles * accumulators(kinds.c, step_rows),
                tiles * accumulators(kinds.d, step_rows)};
  if (swapped) std::swap(counts.a, counts.b);
  if (is_wmma && kinds.a == MatrixElement::f16) counts.a = counts.b = registers_of_f16;
  const auto& operands = syntax.operands;
  const std::vector<SyntaxOperand> written_d = fragment(operands[0], counts.d, binder);
  const std::vector<SyntaxOperand> written_a = fragment(operands[1], counts.a, binder);
  const std::vector<SyntaxOperand> written_b = fragment(operands[2], counts.b, binder);
  const std::vector<SyntaxOperand> written_c = fragment(operands[3], counts.c, binder);
  const Registers by_row = written(swapped ? written_b : written_a);
  const Registers by_column = written(swapped ? written_a : written_b);
  const Registers c = written(written_c);
  if (swapped) std::swap(kinds.a, kinds.b);

  Product product(syntax, work, binder, kinds, step_rows);
  // In that case, separate registers hold the results until all steps have read their sources.
  const bool overwrites =
      tiles > 1 && (shares_registers(written_d, written_a) || shares_registers(written_d, written_b) ||
                    overwrites_sums(written_d, written_c, tiles));
  Registers d = written(written_d);
  std::size_t tile = 0;
  for (unsigned row = 0; row < rows / step_rows; ++row) {
    // For each step, the registers of these rows.
    Registers a;
    for (unsigned step = 0; step < depth; ++step) {
      const std::size_t halves = step_rows / 8;
      const std::size_t first = doubles ? std::size_t{rows / 8} * step + row : halves * (row * depth + step);
      const Registers here = part(by_row, first, halves);
      a.insert(a.end(), here.begin(), here.end());
    }
    for (unsigned column = 0; column < columns / 8; ++column, ++tile) {
      const std::size_t sums = accumulators(kinds.c, step_rows);
      const std::size_t results = accumulators(kinds.d, step_rows);
      Registers into = part(d, tile * results, results);
      if (overwrites) {
        into = product.temporaries(kinds.d);
        std::copy(into.begin(), into.end(), d.begin() + static_cast<std::ptrdiff_t>(tile * results));
      }
      product.multiply(a, part(by_column, std::size_t{column} * depth, depth), part(c, tile * sums, sums), into);
    }
  }
  if (overwrites) {
    for (std::size_t i = 0; i < d.size(); ++i) product.copy(d[i], written_d[i], kinds.d);
  }
  return product.take();
}

// The registers of A or B in the order of lower_product: by 16 (or 8) rows, then by step, then by half.
FragmentShape shape_of_factor(const Form& form, MatrixElement element, bool by_row) {
  FragmentShape shape;
  const unsigned lines = by_row ? std::max(form.m, form.n) : std::min({form.m, form.n, 16U});
  shape.bits = bits_of(element);
  shape.type = register_type(element);
  shape.elements = element == MatrixElement::f64 ? 1 : 32 / shape.bits;
  shape.spread = shape.elements;
  const unsigned depth = step_depth(element);
  const unsigned together = by_row && lines > 8 ? 16 : 8;
  for (unsigned line = 0; line < lines; line += together) {
    for (unsigned k = 0; k < form.k; k += depth) {
      for (unsigned half = 0; half < together; half += 8) shape.places.push_back({line + half, k});
    }
  }
  shape.registers = element == MatrixElement::f16 ? registers_of_f16 : shape.places.size();
  return shape;
}

FragmentShape shape_of_accumulators(const Form& form, DataType type) {
  FragmentShape shape;
  const unsigned rows = std::max(form.m, form.n);
  const unsigned columns = std::min(form.m, form.n);
  const unsigned step_rows = std::min(rows, 16U);
  shape.bits = 8 * bytes_of(type);
  shape.type = register_type(type);
  shape.elements = type == DataType::f16 ? 2 : 1;
  shape.spread = 2;
  for (unsigned row = 0; row < rows; row += step_rows) {
    for (unsigned column = 0; column < columns; column += 8) {
      for (unsigned half = 0; half < step_rows; half += 8) {
        for (unsigned i = 0; i < 2; i += shape.elements) shape.places.push_back({row + half, column + i});
      }
    }
  }
  shape.registers = shape.places.size();
  return shape;
}

std::vector<Work> lower_fragment(const SyntaxInstruction& syntax, const Work& work, OperandBinder& binder) {
  const Form form = form_of(syntax);
  const bool is_load = has(syntax, "load");
  const bool in_rows = has(syntax, "row");
  const bool swapped = form.n > form.m;
  const std::string_view type = form.types.front();
  const bool is_a = is_load && has(syntax, "a");
  const bool is_b = is_load && has(syntax, "b");
  FragmentShape shape;
  if (is_a || is_b) {
    const bool by_row = is_a != swapped;
    shape = shape_of_factor(form, element_named(type).value_or(MatrixElement::f16), by_row);
    shape.lines_in_memory = is_a == in_rows;
    shape.stride = is_a ? (in_rows ? form.k : form.m) : (in_rows ? form.n : form.k);
  } else {
    shape = shape_of_accumulators(form, accumulator_named(type));
    shape.lines_in_memory = in_rows != swapped;
    shape.stride = in_rows ? form.n : form.m;
  }
  return move_fragment(shape, syntax, work, binder, is_load);
}

}  // namespace

std::vector<SyntaxOperand> fragment(const SyntaxOperand& operand, std::size_t count, const OperandBinder& binder) {
  if (operand.kind == SyntaxOperand::Kind::vector && operand.elements.size() == count) return operand.elements;
  if (count == 1 && operand.kind != SyntaxOperand::Kind::vector) return {operand};
  binder.refuse(
      operand.position,
      fmt::format("{} register{} in braces {} needed here", count, count == 1 ? "" : "s", count == 1 ? "is" : "are"),
      "the shape and the types say how many");
}

std::vector<Work> lower_matrix(const SyntaxInstruction& syntax, const Work& work, OperandBinder& binder) {
  const bool moves = syntax.mnemonic == "wmma" && (has(syntax, "load") || has(syntax, "store"));
  return moves ? lower_fragment(syntax, work, binder) : lower_product(syntax, work, binder);
}

}  // namespace reconverge::kernel
