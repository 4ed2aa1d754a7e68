// SPDX-License-Identifier: Apache-2.0
// Half precision: arithmetic, comparisons and mathematics, on the device, and on the host if they are there.
#include "half_check.h"

// Arithmetic: the function, that of pairs, and the exact result, or one that rounds as the exact one does.
static double saturated(double x) { return x > 1 ? 1 : x > 0 ? x : 0; }
static double least(double x, double y) { return std::isnan(x) || (y < x || (y == x && std::signbit(y))) ? y : x; }
static double most(double x, double y) { return std::isnan(x) || (y > x || (y == x && std::signbit(x))) ? y : x; }
// x * y is exact. What the sum loses goes into its last bit, which is far below that of a half.
static double multiply_add(double x, double y, double z) {
  const double product = x * y;
  double sum = product + z;
  if (!std::isfinite(sum)) return sum;
  const double rest = sum - product;
  const double lost = (product - (sum - rest)) + (z - rest);
  unsigned long long word = 0;
  std::memcpy(&word, &sum, sizeof word);
  if (lost != 0 && word % 2 == 0) sum = std::nextafter(sum, lost > 0 ? INFINITY : -INFINITY);
  return sum;
}
static double relu(double x) { return x <= 0 ? 0 : x; }
static double or_nan(double x, double y, double z) { return std::isnan(x) || std::isnan(y) ? NAN : z; }
// clang-format off
#define EACH_TWO(X)                                                                               \
  X(__hadd, __hadd2, x + y) X(__hadd_rn, __hadd2_rn, x + y)                                       \
  X(__hsub, __hsub2, x - y) X(__hsub_rn, __hsub2_rn, x - y)                                       \
  X(__hmul, __hmul2, x * y) X(__hmul_rn, __hmul2_rn, x * y) X(__hdiv, __h2div, x / y)             \
  X(__hadd_sat, __hadd2_sat, saturated(x + y)) X(__hsub_sat, __hsub2_sat, saturated(x - y))       \
  X(__hmul_sat, __hmul2_sat, saturated(x * y)) X(__hmin, __hmin2, least(x, y)) X(__hmax, __hmax2, most(x, y)) \
  X(__hmin_nan, __hmin2_nan, or_nan(x, y, least(x, y))) X(__hmax_nan, __hmax2_nan, or_nan(x, y, most(x, y)))
#define EACH_THREE(X)                                                                             \
  X(__hfma, __hfma2, multiply_add(x, y, z)) X(__hfma_sat, __hfma2_sat, saturated(multiply_add(x, y, z))) \
  X(__hfma_relu, __hfma2_relu, relu(multiply_add(x, y, z)))
#define EACH_COMPARISON(X)                                                                        \
  X(eq, x == y) X(ne, x < y || x > y) X(lt, x < y) X(le, x <= y) X(gt, x > y) X(ge, x >= y)       \
  X(equ, !(x < y || x > y)) X(neu, x != y) X(ltu, !(x >= y)) X(leu, !(x > y)) X(gtu, !(x <= y)) X(geu, !(x < y))
// clang-format on
constexpr unsigned results_of_arithmetic = 14 + 3;
constexpr unsigned comparisons = 12;

__global__ void arithmetic(const Pair* in, Bits* out, Pair* out2, unsigned count) {
  THREAD;
  const half2 a = half2_of(in[3 * i]), b = half2_of(in[3 * i + 1]), c = half2_of(in[3 * i + 2]);
#define X(name, name2, exact) \
  out[i] = __half_as_ushort(name(a.y, b.y)), out2[i] = pair_of(name2(a, b)), out += count, out2 += count;
  EACH_TWO(X)
#undef X
#define X(name, name2, exact) \
  out[i] = __half_as_ushort(name(a.y, b.y, c.y)), out2[i] = pair_of(name2(a, b, c)), out += count, out2 += count;
  EACH_THREE(X)
#undef X
}

__host__ __device__ inline void compare_all(half2 a, half2 b, unsigned* out, unsigned count) {
#define X(name, exact)                                                                                 \
  *out = static_cast<unsigned>(__h##name(a.x, b.x)) | static_cast<unsigned>(__h##name(a.y, b.y)) << 1; \
  *out |= static_cast<unsigned>(__hb##name##2(a, b)) << 2;                                             \
  *out |= static_cast<unsigned>(__half2float(__low2half(__h##name##2(a, b)))) << 3;                    \
  *out |= static_cast<unsigned>(__half2float(__high2half(__h##name##2(a, b)))) << 4;                   \
  *out |= (__h##name##2_mask(a, b) & 0x00030003) << 5;                                                 \
  out += count;
  EACH_COMPARISON(X)
#undef X
}

__global__ void compare(const Pair* in, unsigned* out, unsigned count) {
  THREAD;
  compare_all(half2_of(in[3 * i]), half2_of(in[3 * i + 1]), out + i, count);
}

static void check_arithmetic(unsigned step) {
  const std::vector<Bits> some = halves(1009);
  std::vector<Pair> triples;
  const auto add = [&](auto next) {
    for (int i = 0; i < 3; ++i) {
      const Bits low = next();
      triples.push_back({low, next()});
    }
  };
  for (unsigned i = 0; i < 40000 / step; ++i) add([&] { return static_cast<Bits>(random_word()); });
  for (unsigned i = 0; i < 40000 / step; ++i) add([&] { return some[random_word() % some.size()]; });
  // Of similar size, so that sums cancel and products are halfway.
  for (unsigned i = 0; i < 40000 / step; ++i) add([&] { return static_cast<Bits>(0x3800 + (random_word() & 0x8fff)); });
  for (unsigned i = 0; i < 40000 / step; ++i) add([&] { return static_cast<Bits>(random_word() & 0x87ff); });
  const Bits special[] = {0, 0x8000, 0x7c00, 0xfc00, 0x7e00, 0x3c00, 0xbc00, 0x7bff, 0x8001, 0x0400};
  for (const Bits a : special)
    for (const Bits b : special) triples.insert(triples.end(), {{a, b}, {b, a}, {a, a}});
  const Both<Pair> in(triples);
  const unsigned count = static_cast<unsigned>(triples.size() / 3);
  const Both<Bits> out(count * results_of_arithmetic);
  const Both<Pair> out2(count * results_of_arithmetic);
  LAUNCH(arithmetic, count, in.data, out.data, out2.data);
  const Bits* got = out.data;
  const Pair* got2 = out2.data;
  const auto each = [&](const char* name, const char* name2, auto exact) {
    for (unsigned i = 0; i < count; ++i) {
      const Pair a = in[3 * i], b = in[3 * i + 1], c = in[3 * i + 2];
      const double high = exact(value_of(a.high), value_of(b.high), value_of(c.high));
      const double low = exact(value_of(a.low), value_of(b.low), value_of(c.low));
      expect(got[i], rounded(high), 0, name, value_of(a.high), value_of(b.high), value_of(c.high));
      expect(got2[i].high, rounded(high), 0, name2, value_of(a.high), value_of(b.high), value_of(c.high));
      expect(got2[i].low, rounded(low), 0, name2, value_of(a.low), value_of(b.low), value_of(c.low));
    }
    got += count, got2 += count;
  };
#define X(name, name2, exact) each(#name, #name2, [](double x, double y, double) -> double { return exact; });
  EACH_TWO(X)
#undef X
#define X(name, name2, exact) each(#name, #name2, [](double x, double y, double z) -> double { return exact; });
  EACH_THREE(X)
#undef X
#define X(name, name2, exact)                                                     \
  for (unsigned i = 0; i < count; ++i) {                                          \
    const Pair a = in[3 * i], b = in[3 * i + 1];                                  \
    const double x = value_of(a.low), y = value_of(b.low);                        \
    const Pair on_host = pair_of(name2(half2_of(a), half2_of(b)));                \
    const half one = name(__ushort_as_half(a.low), __ushort_as_half(b.low));      \
    expect(on_host.low, rounded(exact), 0, #name2 " on the host", x, y);          \
    expect(__half_as_ushort(one), rounded(exact), 0, #name " on the host", x, y); \
  }
  EACH_TWO(X)
#undef X

  const Both<unsigned> compared(count * comparisons);
  LAUNCH(compare, count, in.data, compared.data);
  for (unsigned i = 0; i < count; ++i) {
    const Pair a = in[3 * i], b = in[3 * i + 1];
    unsigned on_host[comparisons];
    compare_all(half2_of(a), half2_of(b), on_host, 1);
    unsigned place = 0;
    const auto relation = [&](const char* name, auto holds) {
      const unsigned low = holds(value_of(a.low), value_of(b.low)) ? 1 : 0;
      const unsigned high = holds(value_of(a.high), value_of(b.high)) ? 1 : 0;
      const unsigned wanted =
          low | high << 1 | (low & high) << 2 | low << 3 | high << 4 | low * 3 << 5 | high * 3 << 21;
      check(compared[i + place * count] == wanted, std::string("comparison ") + name);
      check(on_host[place] == wanted, std::string("comparison on the host ") + name);
      ++place;
    };
#define X(name, exact) relation(#name, [](double x, double y) { return exact; });
    EACH_COMPARISON(X)
#undef X
  }
}

// Functions of one half: the function, the result in double precision, and how far off it may be.
// clang-format off
#define EACH_ONE(X)                                                                                                \
  X(hsqrt, h2sqrt, std::sqrt(x), 0) X(hrsqrt, h2rsqrt, 1 / std::sqrt(x), 1) X(hrcp, h2rcp, 1 / x, 1)               \
  X(hexp, h2exp, std::exp(x), 1) X(hexp2, h2exp2, std::exp2(x), 1) X(hexp10, h2exp10, std::pow(10, x), 1)          \
  X(hlog, h2log, std::log(x), 1) X(hlog2, h2log2, std::log2(x), 1) X(hlog10, h2log10, std::log10(x), 1)            \
  X(hsin, h2sin, std::sin(x), 1) X(hcos, h2cos, std::cos(x), 1) X(htanh, h2tanh, std::tanh(x), 1)                  \
  X(hrint, h2rint, std::nearbyint(x), 0) X(htrunc, h2trunc, std::trunc(x), 0) X(hfloor, h2floor, std::floor(x), 0) \
  X(hceil, h2ceil, std::ceil(x), 0) X(__habs, __habs2, std::abs(x), 0) X(__hneg, __hneg2, -x, 0)
// clang-format on
constexpr unsigned functions_of_one = 18;

__global__ void functions(const Bits* in, Bits* out, Pair* out2, unsigned count) {
  THREAD;
  const half a = __ushort_as_half(in[i]);
  const half2 b = make_half2(a, __ushort_as_half(in[count - 1 - i]));
#define X(name, name2, exact, tolerance) \
  out[i] = __half_as_ushort(name(a)), out2[i] = pair_of(name2(b)), out += count, out2 += count;
  EACH_ONE(X)
#undef X
}

static void check_functions(unsigned step) {
  const Both<Bits> in(halves(step));
  const unsigned count = static_cast<unsigned>(halves(step).size());
  const Both<Bits> out(count * functions_of_one);
  const Both<Pair> out2(count * functions_of_one);
  LAUNCH(functions, count, in.data, out.data, out2.data);
  const Bits* got = out.data;
  const Pair* got2 = out2.data;
#define X(name, name2, exact, tolerance)                            \
  for (unsigned i = 0; i < count; ++i) {                            \
    const double x = value_of(in[i]);                               \
    const Bits wanted = rounded(exact);                             \
    expect(got[i], wanted, tolerance, #name, x);                    \
    expect(got2[i].low, wanted, tolerance, #name2, x);              \
    expect(got2[count - 1 - i].high, wanted, tolerance, #name2, x); \
  }                                                                 \
  got += count, got2 += count;
  EACH_ONE(X)
#undef X
}

int main(int count, char** arguments) {
  const unsigned step = step_of(count, arguments);
  check_arithmetic(step);
  check_functions(step);
  return verdict();
}
