// SPDX-License-Identifier: Apache-2.0
// Matrix instructions against products of whole matrices of small whole numbers, which are exact in every type.
// Fragments of mma have the layout in the PTX ISA manual, "Matrix fragments for mma"; each machine chooses the layout
// of wmma fragments.

#include <fmt/format.h>

#include <array>
#include <bit>
#include <catch2/catch.hpp>
#include <cmath>
#include <cstring>

#include "models/core/error.hpp"
#include "testbenches/contract/kernels.hpp"
#include "testbenches/contract/suite.hpp"

namespace reconverge::contract {

namespace {

/// How a number is encoded: a float with this many exponent and fraction bits, or an integer (no exponent).
struct Element {
  std::string_view name;
  unsigned bits;
  unsigned exponent_bits;
  unsigned fraction_bits;
  int lowest;
  int highest;
};

constexpr Element elements[] = {{"f16", 16, 5, 10, -5, 5},   {"bf16", 16, 8, 7, -5, 5},    {"tf32", 32, 8, 23, -50, 50},
                                {"f32", 32, 8, 23, -99, 99}, {"f64", 64, 11, 52, -99, 99}, {"e4m3", 8, 4, 3, -3, 3},
                                {"e5m2", 8, 5, 2, -3, 3},    {"u8", 8, 0, 0, 0, 255},      {"s8", 8, 0, 0, -128, 127},
                                {"u4", 4, 0, 0, 0, 15},      {"s4", 4, 0, 0, -8, 7},       {"b1", 1, 0, 0, 0, 1},
                                {"s32", 32, 0, 0, -999, 999}};

const Element& element(std::string_view name) {
  for (const Element& one : elements) {
    if (one.name == name) return one;
  }
  throw std::logic_error("no such element");
}

std::uint64_t encoded(const Element& type, int value) {
  if (type.exponent_bits == 0) {
    return static_cast<std::uint64_t>(value) & ((std::uint64_t{1} << type.bits) - 1);
  }
  if (value == 0) return 0;
  int exponent = 0;
  const double fraction = std::frexp(std::abs(value), &exponent);
  const int bias = (1 << (type.exponent_bits - 1)) - 1;
  const auto units = static_cast<std::uint64_t>(std::ldexp(2 * fraction - 1, static_cast<int>(type.fraction_bits)));
  const std::uint64_t magnitude = static_cast<std::uint64_t>(exponent - 1 + bias) << type.fraction_bits | units;
  return magnitude | std::uint64_t{value < 0} << ((type.bits - 1) % 64);
}

/// A matrix of whole numbers.
struct Matrix {
  unsigned rows;
  unsigned columns;
  std::vector<int> values;

  int& at(unsigned row, unsigned column) { return values[std::size_t{row} * columns + column]; }
  int at(unsigned row, unsigned column) const { return values[std::size_t{row} * columns + column]; }
};

Matrix filled(unsigned rows, unsigned columns, const Element& type, std::uint32_t seed) {
  Matrix matrix{rows, columns, {}};
  const auto range = static_cast<std::uint32_t>(type.highest - type.lowest + 1);
  for (unsigned i = 0; i < rows * columns; ++i) {
    seed = seed * 1664525 + 1013904223;
    matrix.values.push_back(type.lowest + static_cast<int>((seed >> 16) % range));
  }
  return matrix;
}

/// a b + c; for single bits, the operation that `bits` names.
Matrix product(const Matrix& a, const Matrix& b, const Matrix& c, std::string_view bits = {}) {
  Matrix result = c;
  for (unsigned row = 0; row < c.rows; ++row) {
    for (unsigned column = 0; column < c.columns; ++column) {
      for (unsigned k = 0; k < a.columns; ++k) {
        const int x = a.at(row, k);
        const int y = b.at(k, column);
        result.at(row, column) += bits == "xor" ? x ^ y : x * y;
      }
    }
  }
  return result;
}

void put(std::vector<std::uint32_t>& words, std::uint64_t bit, const Element& type, int value) {
  const std::uint64_t code = encoded(type, value);
  for (unsigned i = 0; i < type.bits; ++i) {
    if ((code >> i & 1U) != 0) words.at((bit + i) / 32) |= 1U << ((bit + i) % 32);
  }
}

bool holds(const std::vector<std::byte>& memory, std::uint64_t bit, const Element& type, int value) {
  const std::uint64_t code = encoded(type, value);
  std::uint64_t found = 0;
  std::memcpy(&found, memory.data() + bit / 8, type.bits / 8);
  return found == code;
}

Outcome agreed(const Case& test_case) {
  Outcome functional = run_functional(test_case);
  const Outcome scalar = run_scalar(test_case);
  CHECK_THAT(difference(scalar.memory, functional.memory), Catch::Equals(""));
  CHECK(scalar.thread_instructions == functional.thread_instructions);
  return functional;
}

struct Form {
  std::string_view types;  ///< of D, A, B, C
  unsigned m;
  unsigned n;
  unsigned k;
  std::string_view bits = {};

  std::array<Element, 4> types_of() const {
    std::array<Element, 4> result{};
    std::string_view left = types;
    for (Element& one : result) {
      const std::size_t end = left.find('.');
      one = element(left.substr(0, end));
      left.remove_prefix(end == std::string_view::npos ? left.size() : end + 1);
    }
    return result;
  }
};

std::string registers(char kind, unsigned first, std::size_t count) {
  std::string text;
  for (std::size_t i = 0; i < count; ++i) {
    text += fmt::format("{}%{}{}", i == 0 ? "" : ", ", kind == 'd' ? "fd" : "r", first + i);
  }
  return text;
}

/// Elements of a fragment, lane by lane: row and column of each, in register order.
using Places = std::vector<std::vector<std::pair<unsigned, unsigned>>>;

// Both factors: line (row of A, column of B) and k.
Places factor_places(unsigned bits, unsigned lines, unsigned depth) {
  const unsigned in_register = bits == 64 ? 1 : 32 / bits;
  Places places(32);
  for (unsigned lane = 0; lane < 32; ++lane) {
    for (unsigned step = 0; step < depth; step += 4 * in_register) {
      for (unsigned line = lane / 4; line < lines; line += 8) {
        for (unsigned i = 0; i < in_register; ++i) {
          places[lane].emplace_back(line, step + lane % 4 * in_register + i);
        }
      }
    }
  }
  return places;
}

Places sum_places(unsigned rows) {
  Places places(32);
  for (unsigned lane = 0; lane < 32; ++lane) {
    for (unsigned row = lane / 4; row < rows; row += 8) {
      for (unsigned i = 0; i < 2; ++i) places[lane].emplace_back(row, lane % 4 * 2 + i);
    }
  }
  return places;
}

/// Runs the form on fragments loaded register by register.
void check_mma(const Form& form) {
  INFO("mma m" << form.m << "n" << form.n << "k" << form.k << " " << form.types << " " << form.bits);
  const auto [d_type, a_type, b_type, c_type] = form.types_of();
  const Matrix a = filled(form.m, form.k, a_type, 1);
  const Matrix b = filled(form.k, form.n, b_type, 2);
  const Matrix c = filled(form.m, form.n, c_type, 3);
  const Matrix d = product(a, b, c, form.bits);
  const Places a_places = factor_places(a_type.bits, form.m, form.k);
  const Places b_places = factor_places(b_type.bits, form.n, form.k);
  const Places sums = sum_places(form.m);
  const bool wide = a_type.bits == 64;
  const unsigned register_bits = wide ? 64 : 32;
  const auto count = [&](const Places& places, const Element& type) {
    return places[0].size() * type.bits / register_bits;
  };
  const std::size_t a_count = count(a_places, a_type);
  const std::size_t b_count = count(b_places, b_type);
  const std::size_t c_count = count(sums, c_type);
  const std::size_t d_count = count(sums, d_type);
  const std::size_t all = a_count + b_count + c_count;

  const char kind = wide ? 'd' : 'r';
  std::string body =
      fmt::format("  mul.wide.u32 %rd0, %lane, {};\n  add.u64 %rd0, %in, %rd0;\n", all * register_bits / 8);
  for (std::size_t i = 0; i < all; ++i) {
    body +=
        fmt::format("  ld.global.b{} %{}{}, [%rd0+{}];\n", register_bits, wide ? "fd" : "r", i, i * register_bits / 8);
  }
  const auto first_b = static_cast<unsigned>(a_count);
  const auto first_c = static_cast<unsigned>(a_count + b_count);
  const auto first_d = static_cast<unsigned>(all);
  body += fmt::format("  mma.sync.aligned.m{}n{}k{}.row.col.{}{} {{{}}}, {{{}}}, {{{}}}, {{{}}};\n", form.m, form.n,
                      form.k, form.types, form.bits.empty() ? "" : fmt::format(".{}.popc", form.bits),
                      registers(kind, first_d, d_count), registers(kind, 0, a_count), registers(kind, first_b, b_count),
                      registers(kind, first_c, c_count));
  for (std::size_t i = 0; i < d_count; ++i) {
    body += fmt::format("  st.global.b{} [%slice+{}], %{}{};\n", register_bits, i * register_bits / 8,
                        wide ? "fd" : "r", first_d + i);
  }
  Case test_case = make_case("mma", body + "  ret;", {1}, {32}, ".reg .f64 %fd<32>;");
  test_case.input.assign(input_words, 0);
  for (unsigned lane = 0; lane < 32; ++lane) {
    std::uint64_t bit = lane * all * register_bits;
    const auto put_all = [&](const Places& places, const Element& type, auto value) {
      for (const auto& [line, other] : places[lane]) {
        put(test_case.input, bit, type, value(line, other));
        bit += type.bits;
      }
    };
    put_all(a_places, a_type, [&](unsigned row, unsigned k) { return a.at(row, k); });
    put_all(b_places, b_type, [&](unsigned column, unsigned k) { return b.at(k, column); });
    put_all(sums, c_type, [&](unsigned row, unsigned column) { return c.at(row, column); });
  }
  const Outcome found = agreed(test_case);
  for (unsigned lane = 0; lane < 32; ++lane) {
    std::uint64_t bit = std::uint64_t{lane} * slice_words * 32;
    for (const auto& [row, column] : sums[lane]) {
      INFO("row " << row << ", column " << column);
      CHECK(holds(found.memory, bit, d_type, d.at(row, column)));
      bit += d_type.bits;
    }
  }
}

struct Layouts {
  bool a_rows;
  bool b_rows;
  bool d_rows;
  bool stride_in_register;
};

std::uint64_t place_in(unsigned row, unsigned column, bool rows, unsigned stride) {
  return rows ? std::uint64_t{row} * stride + column : std::uint64_t{column} * stride + row;
}

/// Loads three matrices, multiplies them and stores the result, with strides larger than the matrices.
void check_wmma(const Form& form, const Layouts& layouts) {
  const auto [d_type, a_type, b_type, c_type] = form.types_of();
  const auto order = [](bool rows) { return rows ? "row" : "col"; };
  INFO("wmma m" << form.m << "n" << form.n << "k" << form.k << " " << form.types << " " << order(layouts.a_rows) << " "
                << order(layouts.b_rows) << " " << order(layouts.d_rows));
  const Matrix a = filled(form.m, form.k, a_type, 4);
  const Matrix b = filled(form.k, form.n, b_type, 5);
  const Matrix c = filled(form.m, form.n, c_type, 6);
  const Matrix d = product(a, b, c, form.bits);
  const unsigned pad = 128 / a_type.bits;
  const unsigned a_stride = (layouts.a_rows ? form.k : form.m) + pad;
  const unsigned b_stride = (layouts.b_rows ? form.n : form.k) + pad;
  const unsigned c_stride = (layouts.d_rows ? form.n : form.m) + 2;
  const unsigned d_stride = c_stride + 2;
  const auto registers_of = [&](unsigned rows, unsigned columns, const Element& type) -> std::size_t {
    if (type.name == "f16") return 8;
    return rows * columns * type.bits / 32 / (type.bits == 64 ? 64 : 32);
  };
  const std::size_t a_count = registers_of(form.m, form.k, a_type);
  const std::size_t b_count = registers_of(form.k, form.n, b_type);
  const std::size_t c_count = form.m * form.n / 32 / (c_type.bits == 16 ? 2U : 1U);
  const std::size_t d_count = form.m * form.n / 32 / (d_type.bits == 16 ? 2U : 1U);
  const char kind = a_type.bits == 64 ? 'd' : 'r';
  const unsigned b_at = (layouts.a_rows ? form.m : form.k) * a_stride * a_type.bits / 8;
  const unsigned c_at = b_at + (layouts.b_rows ? form.k : form.n) * b_stride * b_type.bits / 8;
  std::string body;
  const auto stride = [&](unsigned value) {
    if (!layouts.stride_in_register) return std::to_string(value);
    body += fmt::format("  mov.u32 %x, {};\n", value);
    return std::string("%x");
  };
  const auto load = [&](char which, bool rows, const Element& type, unsigned at, unsigned first, std::size_t count,
                        unsigned step) {
    const std::string written = stride(step);
    body += fmt::format("  wmma.load.{}.sync.aligned.{}.m{}n{}k{}.global.{} {{{}}}, [%in+{}], {};\n", which,
                        order(rows), form.m, form.n, form.k, type.name, registers(kind, first, count), at, written);
  };
  load('a', layouts.a_rows, a_type, 0, 0, a_count, a_stride);
  load('b', layouts.b_rows, b_type, b_at, 8, b_count, b_stride);
  load('c', layouts.d_rows, c_type, c_at, 16, c_count, c_stride);
  const bool is_f16 = a_type.name == "f16";
  const std::string types = is_f16 ? fmt::format("{}.{}", d_type.name, c_type.name) : std::string(form.types);
  body += fmt::format("  wmma.mma{}.sync.aligned.{}.{}.m{}n{}k{}.{} {{{}}}, {{{}}}, {{{}}}, {{{}}};\n",
                      form.bits.empty() ? "" : fmt::format(".{}.popc", form.bits), order(layouts.a_rows),
                      order(layouts.b_rows), form.m, form.n, form.k, types, registers(kind, 24, d_count),
                      registers(kind, 0, a_count), registers(kind, 8, b_count), registers(kind, 16, c_count));
  const std::string written = stride(d_stride);
  body += fmt::format("  wmma.store.d.sync.aligned.{}.m{}n{}k{}.{} [%out], {{{}}}, {};\n", order(layouts.d_rows),
                      form.m, form.n, form.k, d_type.name, registers(kind, 24, d_count), written);
  Case test_case = make_case("wmma", body + "  ret;", {1}, {32}, ".reg .f64 %fd<32>;");
  test_case.input.assign(input_words, 0);
  const auto put_all = [&](const Matrix& matrix, const Element& type, bool rows, unsigned step, unsigned at) {
    for (unsigned row = 0; row < matrix.rows; ++row) {
      for (unsigned column = 0; column < matrix.columns; ++column) {
        put(test_case.input, std::uint64_t{at} * 8 + place_in(row, column, rows, step) * type.bits, type,
            matrix.at(row, column));
      }
    }
  };
  put_all(a, a_type, layouts.a_rows, a_stride, 0);
  put_all(b, b_type, layouts.b_rows, b_stride, b_at);
  put_all(c, c_type, layouts.d_rows, c_stride, c_at);
  const Outcome found = agreed(test_case);
  for (unsigned row = 0; row < form.m; ++row) {
    for (unsigned column = 0; column < form.n; ++column) {
      INFO("row " << row << ", column " << column);
      CHECK(holds(found.memory, place_in(row, column, layouts.d_rows, d_stride) * d_type.bits, d_type,
                  d.at(row, column)));
    }
  }
}

}  // namespace

TEST_CASE("mma multiplies fragments as the manual lays them out", "[matrix]") {
  constexpr Form forms[] = {
      {"f16.f16.f16.f16", 16, 8, 8},       {"f16.f16.f16.f16", 16, 8, 16},      {"f32.f16.f16.f32", 16, 8, 8},
      {"f32.f16.f16.f32", 16, 8, 16},      {"f32.bf16.bf16.f32", 16, 8, 8},     {"f32.bf16.bf16.f32", 16, 8, 16},
      {"f32.tf32.tf32.f32", 16, 8, 4},     {"f32.tf32.tf32.f32", 16, 8, 8},     {"f32.e4m3.e4m3.f32", 16, 8, 32},
      {"f32.e5m2.e4m3.f32", 16, 8, 32},    {"f32.e4m3.e5m2.f32", 16, 8, 16},    {"f64.f64.f64.f64", 8, 8, 4},
      {"f64.f64.f64.f64", 16, 8, 4},       {"f64.f64.f64.f64", 16, 8, 8},       {"f64.f64.f64.f64", 16, 8, 16},
      {"s32.s8.s8.s32", 8, 8, 16},         {"s32.u8.s8.s32", 16, 8, 16},        {"s32.s8.u8.s32", 16, 8, 32},
      {"s32.u8.u8.s32", 16, 8, 32},        {"s32.s4.s4.s32", 8, 8, 32},         {"s32.u4.s4.s32", 16, 8, 32},
      {"s32.s4.u4.s32", 16, 8, 64},        {"s32.b1.b1.s32", 8, 8, 128, "xor"}, {"s32.b1.b1.s32", 16, 8, 128, "and"},
      {"s32.b1.b1.s32", 16, 8, 256, "xor"}};
  for (const Form& form : forms) check_mma(form);
}

TEST_CASE("wmma loads, multiplies and stores in every layout", "[matrix]") {
  constexpr Form forms[] = {
      {"f32.f16.f16.f32", 16, 16, 16},  {"f16.f16.f16.f16", 16, 16, 16},   {"f32.f16.f16.f16", 16, 16, 16},
      {"f16.f16.f16.f32", 32, 8, 16},   {"f32.f16.f16.f32", 32, 8, 16},    {"f16.f16.f16.f16", 8, 32, 16},
      {"f32.f16.f16.f32", 8, 32, 16},   {"f32.bf16.bf16.f32", 16, 16, 16}, {"f32.bf16.bf16.f32", 8, 32, 16},
      {"f32.bf16.bf16.f32", 32, 8, 16}, {"s32.s8.s8.s32", 16, 16, 16},     {"s32.u8.u8.s32", 32, 8, 16},
      {"s32.s8.s8.s32", 8, 32, 16},     {"f32.tf32.tf32.f32", 16, 16, 8},  {"f64.f64.f64.f64", 8, 8, 4}};
  for (const Form& form : forms) {
    for (unsigned i = 0; i < 16; ++i) {
      check_wmma(form, {(i & 1U) != 0, (i & 2U) != 0, (i & 4U) != 0, (i & 8U) != 0});
    }
  }
  for (const bool rows : {false, true}) {
    check_wmma({"s32.s4.s4.s32", 8, 8, 32}, {true, false, rows, rows});
    check_wmma({"s32.b1.b1.s32", 8, 8, 128, "xor"}, {true, false, rows, !rows});
  }
}

TEST_CASE("matrices move between shared memory and the lanes, and turn around", "[matrix]") {
  // Each lane writes two 16-bit halves in each of four matrices: 1000 * matrix + 8 * line + column.
  const Case test_case = make_case("turned", R"(
  mov.u32 %r0, room;
  shl.b32 %r1, %lane, 4;
  add.u32 %r1, %r0, %r1;
  shr.u32 %r2, %lane, 3;
  mul.lo.u32 %r2, %r2, 1000;
  and.b32 %r3, %lane, 7;
  mad.lo.u32 %r2, %r3, 8, %r2;
  mad.lo.u32 %r2, %r2, 0x10001, 0x10000;
  st.shared.u32 [%r1], %r2;
  add.u32 %r2, %r2, 0x20002;
  st.shared.u32 [%r1+4], %r2;
  add.u32 %r2, %r2, 0x20002;
  st.shared.u32 [%r1+8], %r2;
  add.u32 %r2, %r2, 0x20002;
  st.shared.u32 [%r1+12], %r2;
  bar.warp.sync -1;
  ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%r4, %r5, %r6, %r7}, [%r1];
  cvt.u64.u32 %rd0, %r1;
  cvta.shared.u64 %rd0, %rd0;
  ldmatrix.sync.aligned.m8n8.x2.trans.b16 {%r8, %r9}, [%rd0];
  ldmatrix.sync.aligned.m8n8.x1.trans.shared.b16 {%r10}, [room+128];
  movmatrix.sync.aligned.m8n8.trans.b16 %r11, %r5;
  st.global.v4.u32 [%slice], {%r4, %r5, %r6, %r7};
  st.global.v4.u32 [%slice+16], {%r8, %r9, %r10, %r11};
  stmatrix.sync.aligned.m8n8.x2.trans.shared.b16 [%r1], {%r4, %r7};
  bar.warp.sync -1;
  ld.shared.v4.u32 {%r12, %r13, %r14, %r15}, [%r1];
  st.global.v4.u32 [%slice+32], {%r12, %r13, %r14, %r15};
  ret;)",
                                   {1}, {32}, ".shared .align 16 .b8 room[512];");
  const Outcome found = agreed(test_case);
  std::vector<std::uint32_t> words(found.memory.size() / 4);
  std::memcpy(words.data(), found.memory.data(), words.size() * 4);
  const auto pair = [](unsigned low, unsigned high) { return low | high << 16; };
  for (unsigned lane = 0; lane < 32; ++lane) {
    INFO(lane);
    const std::uint32_t* const slice = &words[std::size_t{slice_words} * lane];
    const unsigned line = lane / 4;
    const unsigned along = lane % 4 * 2;
    for (unsigned i = 0; i < 4; ++i)
      CHECK(slice[i] == pair(1000 * i + 8 * line + along, 1000 * i + 8 * line + along + 1));
    for (unsigned i = 0; i < 2; ++i)
      CHECK(slice[4 + i] == pair(1000 * i + 8 * along + line, 1000 * i + 8 * along + 8 + line));
    CHECK(slice[7] == slice[5]);
    // Line `lane % 8` of the former matrix 0, or 3, with lines and columns exchanged.
    const unsigned first = lane < 8 ? 0 : lane < 16 ? 3000 : 1000 * (lane / 8);
    for (unsigned i = 0; i < 4; ++i) {
      const unsigned at = lane < 16 ? 2 * i * 8 + lane % 8 : lane % 8 * 8 + 2 * i;
      CHECK(slice[8 + i] == pair(first + at, first + at + (lane < 16 ? 8 : 1)));
    }
  }
}

}  // namespace reconverge::contract
