// SPDX-License-Identifier: Apache-2.0
// Half precision: conversions, operators, and how halves move, on the device, and on the host if they are there.
#include "half_check.h"

// All halves to float and back.
__global__ void through_float(float* floats, Bits* back, unsigned count) {
  THREAD;
  const half a = __ushort_as_half(static_cast<Bits>(i));
  floats[i] = __half2float(a);
  back[i] = __half_as_ushort(__float2half(floats[i]));
}

static void check_all_halves() {
  const unsigned count = 65536;
  const Both<float> floats(count);
  const Both<Bits> back(count);
  LAUNCH(through_float, count, floats.data, back.data);
  for (unsigned i = 0; i < count; ++i) {
    const Bits bits = static_cast<Bits>(i);
    const double value = value_of(bits);
    const float on_host = __half2float(__ushort_as_half(bits));
    const bool nan = std::isnan(value);
    check(nan ? std::isnan(floats[i]) : floats[i] == value && std::signbit(floats[i]) == std::signbit(value),
          "__half2float");
    check(nan ? std::isnan(on_host) : on_host == value && std::signbit(on_host) == std::signbit(value),
          "__half2float on the host");
    expect(back[i], bits, 0, "__float2half", value);
    expect(__half_as_ushort(__float2half(on_host)), bits, 0, "__float2half on the host", value);
  }
}

// Floats and doubles to halves: each half, what lies halfway to the next, and next to that.
#define EACH_FROM_FLOAT(X) \
  X(__float2half, 'n') X(__float2half_rn, 'n') X(__float2half_rz, 'z') X(__float2half_rd, 'd') X(__float2half_ru, 'u')

__global__ void from_floats(const float* in, Bits* out, unsigned count) {
  THREAD;
#define X(name, mode) out[i] = __half_as_ushort(name(in[i])), out += count;
  EACH_FROM_FLOAT(X)
#undef X
}

__global__ void from_doubles(const double* in, Bits* out, unsigned count) {
  THREAD;
  out[i] = __half_as_ushort(__double2half(in[i]));
}

static void check_from_floats(unsigned step) {
  std::vector<float> floats = {FLT_MAX, -FLT_MAX, FLT_MIN, NAN};
  std::vector<double> doubles;
  for (const Bits bits : halves(step)) {
    const double value = value_of(bits);
    const double next = value_of(static_cast<Bits>(bits + 1));
    if (!std::isfinite(value) || !std::isfinite(next)) {
      floats.push_back(static_cast<float>(value));
      doubles.push_back(value);
      continue;
    }
    const float middle = static_cast<float>((value + next) / 2);
    for (const float x :
         {static_cast<float>(value), middle, std::nextafter(middle, INFINITY), std::nextafter(middle, -INFINITY)})
      floats.push_back(x);
    for (const double x : {static_cast<double>(middle), middle * (1 + 1e-12), middle * (1 - 1e-12)})
      doubles.push_back(x);
  }
  for (int i = 0; i < 2000; ++i) {
    const unsigned word = random_word();
    float x = 0;
    std::memcpy(&x, &word, sizeof x);
    floats.push_back(x);
  }
  for (const double x : {65519.99, 65520.0, 1e300, -1e-300, 5e-324, 0.0, -0.0, std::ldexp(1, -25)}) {
    doubles.push_back(x);
    floats.push_back(static_cast<float>(x));
  }
  const Both<float> in(floats);
  const unsigned count = static_cast<unsigned>(floats.size());
  const Both<Bits> out(count * 5);
  LAUNCH(from_floats, count, in.data, out.data);
  const Bits* got = out.data;
#define X(name, mode)                                                                            \
  for (unsigned i = 0; i < count; ++i) {                                                         \
    expect(got[i], rounded(in[i], mode), 0, #name, in[i]);                                       \
    expect(__half_as_ushort(name(in[i])), rounded(in[i], mode), 0, #name " on the host", in[i]); \
  }                                                                                              \
  got += count;
  EACH_FROM_FLOAT(X)
#undef X
  const Both<double> in_double(doubles);
  const unsigned doubles_count = static_cast<unsigned>(doubles.size());
  const Both<Bits> of_doubles(doubles_count);
  LAUNCH(from_doubles, doubles_count, in_double.data, of_doubles.data);
  for (unsigned i = 0; i < doubles_count; ++i) {
    const double x = in_double[i];
    expect(of_doubles[i], rounded(x), 0, "__double2half", x);
    expect(__half_as_ushort(__double2half(x)), rounded(x), 0, "__double2half on the host", x);
    expect(__half_as_ushort(half(x)), rounded(x), 0, "half of a double", x);
  }
}

// Halves to integers and integers to halves.
// clang-format off
#define EACH_MODE(X, name, type) \
  X(name, type, rn, 'n') X(name, type, rz, 'z') X(name, type, rd, 'd') X(name, type, ru, 'u')
#define EACH_INTEGER(X)                                                                           \
  EACH_MODE(X, short, short) EACH_MODE(X, ushort, unsigned short) EACH_MODE(X, int, int)          \
  EACH_MODE(X, uint, unsigned) EACH_MODE(X, ll, long long) EACH_MODE(X, ull, unsigned long long)
// clang-format on

__global__ void to_integers(const Bits* in, long long* out, unsigned count) {
  THREAD;
  const half a = __ushort_as_half(in[i]);
#define X(name, type, mode, letter) out[i] = static_cast<long long>(__half2##name##_##mode(a)), out += count;
  EACH_INTEGER(X)
#undef X
  out[i] = __half2char_rz(a), out += count;
  out[i] = __half2uchar_rz(a), out += count;
}

__global__ void from_integers(const long long* in, Bits* out, unsigned count) {
  THREAD;
#define X(name, type, mode, letter) \
  out[i] = __half_as_ushort(__##name##2half_##mode(static_cast<type>(in[i]))), out += count;
  EACH_INTEGER(X)
#undef X
}

template <class T>
static long long integer_of(double value, char mode) {
  if (std::isnan(value)) return sizeof(T) == 8 ? LLONG_MIN : 0;
  const double whole = mode == 'n'   ? std::nearbyint(value)
                       : mode == 'z' ? std::trunc(value)
                       : mode == 'd' ? std::floor(value)
                                     : std::ceil(value);
  const bool is_signed = static_cast<T>(-1) < 0;
  const unsigned long long most = ULLONG_MAX >> (64 - 8 * sizeof(T) + (is_signed ? 1 : 0));
  const unsigned long long least = is_signed ? ~most : 0;
  if (whole >= static_cast<double>(most)) return static_cast<long long>(most);
  if (whole <= static_cast<double>(static_cast<long long>(least))) return static_cast<long long>(least);
  return static_cast<long long>(whole);
}

static void check_integers(unsigned step) {
  const Both<Bits> in(halves(step));
  const unsigned count = static_cast<unsigned>(halves(step).size());
  const Both<long long> out(count * 26);
  LAUNCH(to_integers, count, in.data, out.data);
  const long long* got = out.data;
#define X(name, type, mode, letter)                                                        \
  for (unsigned i = 0; i < count; ++i)                                                     \
    check(got[i] == integer_of<type>(value_of(in[i]), letter), "__half2" #name "_" #mode); \
  got += count;
  EACH_INTEGER(X)
  X(char, signed char, rz, 'z')
  X(uchar, unsigned char, rz, 'z')
#undef X
  for (unsigned i = 0; i < count; ++i) {
    const half a = __ushort_as_half(in[i]);
    const auto is = [&](long long wanted, long long got_here) {
      check(wanted == got_here, "to an integer on the host");
    };
    is(integer_of<short>(value_of(in[i]), 'z'), __half2short_rz(a));
    is(integer_of<unsigned short>(value_of(in[i]), 'z'), __half2ushort_rz(a));
    is(integer_of<int>(value_of(in[i]), 'z'), __half2int_rz(a));
    is(integer_of<unsigned>(value_of(in[i]), 'z'), __half2uint_rz(a));
    is(integer_of<long long>(value_of(in[i]), 'z'), __half2ll_rz(a));
    is(integer_of<unsigned long long>(value_of(in[i]), 'z'), static_cast<long long>(__half2ull_rz(a)));
  }

  std::vector<long long> numbers = {LLONG_MIN, LLONG_MAX, INT_MIN, INT_MAX, 65519, 65520, -65520, -65519};
  for (long long x = -5000; x < 5000; x += 7) numbers.push_back(x);
  for (int i = 0; i < 1000; ++i) numbers.push_back(static_cast<int>(random_word()) >> (i % 32));
  const Both<long long> given(numbers);
  const unsigned numbers_count = static_cast<unsigned>(numbers.size());
  const Both<Bits> back(numbers_count * 24);
  LAUNCH(from_integers, numbers_count, given.data, back.data);
  const Bits* half_got = back.data;
  // A double is precise enough: what it rounds is far beyond the largest half.
#define X(name, type, mode, letter)                                                                          \
  for (unsigned i = 0; i < numbers_count; ++i) {                                                             \
    const type x = static_cast<type>(given[i]);                                                              \
    const Bits wanted = rounded(static_cast<double>(x), letter);                                             \
    expect(half_got[i], wanted, 0, "__" #name "2half_" #mode, static_cast<double>(x));                       \
    expect(__half_as_ushort(__##name##2half_##mode(x)), wanted, 0, "__" #name "2half_" #mode " on the host", \
           static_cast<double>(x));                                                                          \
  }                                                                                                          \
  half_got += numbers_count;
  EACH_INTEGER(X)
#undef X
}

// What both sides compute by operators and small functions, in an order that check_operators repeats.
constexpr unsigned operators_count = 96;
__host__ __device__ inline void operators(half2 p, half2 q, int number, Bits* out) {
  const half a = p.x, b = q.x;
  Bits* next = out;
  const auto put = [&](half x) { *next++ = __half_as_ushort(x); };
  const auto put2 = [&](half2 x) { put(__low2half(x)), put(__high2half(x)); };
  const auto say = [&](bool x) { *next++ = x ? 1 : 0; };
  put(a + b), put(a - b), put(a * b), put(a / b), put(-a), put(+a);
  put2(p + q), put2(p - q), put2(p * q), put2(p / q), put2(-p), put2(+p);
  half x = a;
  put(x += b), put(x -= a), put(x *= b), put(x /= a), put(x++), put(x), put(++x), put(x--), put(--x);
  half2 y = p;
  put2(y += q), put2(y -= p), put2(y *= q), put2(y /= p), put2(y++), put2(y), put2(++y), put2(y--), put2(--y);
  say(a == b), say(a != b), say(a < b), say(a <= b), say(a > b), say(a >= b);
  say(p == q), say(p != q), say(p < q), say(p <= q), say(p > q), say(p >= q);
  say(__hisnan(a)), say(__hisinf(a) != 0), put2(__hisnan2(p)), say(static_cast<bool>(a));
  put(half(number)), put(half(static_cast<unsigned>(number))), put(half(static_cast<short>(number)));
  put(half(static_cast<unsigned short>(number))), put(half(static_cast<long long>(number)));
  put(half(static_cast<unsigned long long>(number))), put(half(static_cast<float>(number) / 3));
  half assigned = 0.25;
  put(assigned), assigned = number, put(assigned), assigned = 1.5F, put(assigned);
  const __half_raw raw = a;
  const __half2_raw raw2 = q;
  *next++ = raw.x, *next++ = raw2.y, put(raw), put2(raw2);
  while (next < out + operators_count) *next++ = 0;
}

__global__ void operate(const Pair* in, const int* numbers, Bits* out, unsigned count) {
  THREAD;
  operators(half2_of(in[2 * i]), half2_of(in[2 * i + 1]), numbers[i], out + operators_count * i);
}

static std::vector<Bits> wanted_of_operators(Pair p, Pair q, int number) {
  std::vector<Bits> wanted;
  const auto put = [&](double x) { return wanted.push_back(rounded(x)), value_of(wanted.back()); };
  const auto say = [&](bool x) { wanted.push_back(x ? 1 : 0); };
  const double a = value_of(p.low), b = value_of(q.low), c = value_of(p.high), d = value_of(q.high);
  put(a + b), put(a - b), put(a * b), put(a / b), put(-a), put(a);
  put(a + b), put(c + d), put(a - b), put(c - d), put(a * b), put(c * d), put(a / b), put(c / d), put(-a), put(-c);
  put(a), put(c);
  const auto steps = [&](double x, double y) {
    std::vector<double> results = {value_of(rounded(x + y))};
    const auto then = [&](double z) { results.push_back(value_of(rounded(z))); };
    then(results[0] - x), then(results[1] * y), then(results[2] / x), then(results[3]), then(results[3] + 1);
    then(results[5] + 1), then(results[6]), then(value_of(rounded(results[7] - 1)) - 1);
    return results;
  };
  const std::vector<double> low = steps(a, b), high = steps(c, d);
  for (const double x : low) put(x);
  for (unsigned i = 0; i < low.size(); ++i) put(low[i]), put(high[i]);
  say(a == b), say(a != b), say(a < b), say(a <= b), say(a > b), say(a >= b);
  say(a == b && c == d), say(a != b && c != d), say(a < b && c < d), say(a <= b && c <= d), say(a > b && c > d);
  say(a >= b && c >= d);
  say(std::isnan(a)), say(std::isinf(a)), put(std::isnan(a)), put(std::isnan(c)), say(a != 0);
  put(number), put(static_cast<unsigned>(number)), put(static_cast<short>(number));
  put(static_cast<unsigned short>(number)), put(number),
      put(static_cast<double>(static_cast<unsigned long long>(number)));
  put(static_cast<float>(number) / 3), put(0.25), put(number), put(1.5);
  wanted.push_back(p.low), wanted.push_back(q.high), put(a), put(b), put(d);
  return wanted;
}

static void check_operators(unsigned step) {
  const std::vector<Bits> some = halves(1009);
  std::vector<Pair> pairs;
  std::vector<int> numbers;
  const unsigned count = 20000 / step;
  for (unsigned i = 0; i < 2 * count; ++i) {
    const auto next = [&] { return i % 3 == 0 ? some[random_word() % some.size()] : static_cast<Bits>(random_word()); };
    const Bits low = next();
    pairs.push_back({low, next()});
    numbers.push_back(static_cast<int>(random_word()) >> (i % 32));
  }
  const Both<Pair> in(pairs);
  const Both<int> given(numbers);
  const Both<Bits> out(count * operators_count);
  LAUNCH(operate, count, in.data, given.data, out.data);
  for (unsigned i = 0; i < count; ++i) {
    const Pair p = in[2 * i], q = in[2 * i + 1];
    const std::vector<Bits> wanted = wanted_of_operators(p, q, given[i]);
    Bits on_host[operators_count];
    operators(half2_of(p), half2_of(q), given[i], on_host);
    for (unsigned j = 0; j < wanted.size(); ++j) {
      const std::string name = "operator " + std::to_string(j);
      expect(out[operators_count * i + j], wanted[j], 0, name.c_str(), value_of(p.low), value_of(q.low));
      expect(on_host[j], wanted[j], 0, (name + " on the host").c_str(), value_of(p.low), value_of(q.low));
    }
  }
}

// Words: what moves halves without computing, on both sides.
constexpr unsigned moves_count = 15;
__host__ __device__ inline void moves(half2 a, half2 b, float x, float y, Pair* out) {
  Pair* next = out;
  const auto put = [&](half2 v) { *next++ = pair_of(v); };
  put(__lows2half2(a, b)), put(__highs2half2(a, b)), put(__low2half2(a)), put(__high2half2(a)),
      put(__lowhigh2highlow(a));
  put(__halves2half2(a.y, b.x)), put(__half2half2(b.y)), put(make_half2(b.x, a.x)), put(half2(b.y, a.y));
  put(__floats2half2_rn(x, y)), put(__float2half2_rn(y)), put(__float22half2_rn(make_float2(y, x)));
  put(__float22half2_rn(__half22float2(a))), put(__floats2half2_rn(__high2float(a), __low2float(b)));
  put(half2(__short_as_half(__half_as_short(a.x)), __ushort_as_half(__half_as_ushort(b.y))));
}

__global__ void move(const Pair* in, const float* floats, Pair* out, unsigned count) {
  THREAD;
  moves(half2_of(in[2 * i]), half2_of(in[2 * i + 1]), floats[2 * i], floats[2 * i + 1], out + moves_count * i);
}

static void check_moves() {
  constexpr unsigned count = 256;
  const Both<Pair> in(2 * count);
  const Both<float> floats(2 * count);
  for (unsigned i = 0; i < 2 * count; ++i) {
    const unsigned word = random_word();
    in[i] = {static_cast<Bits>(word), static_cast<Bits>(word >> 16)};
    floats[i] = static_cast<float>(static_cast<int>(random_word())) / 65536;
  }
  const Both<Pair> out(count * moves_count);
  LAUNCH(move, count, in.data, floats.data, out.data);
  for (unsigned i = 0; i < count; ++i) {
    const Pair a = in[2 * i], b = in[2 * i + 1];
    const Bits x = rounded(floats[2 * i]), y = rounded(floats[2 * i + 1]);
    // clang-format off
    const Pair wanted[moves_count] = {
        {a.low, b.low}, {a.high, b.high}, {a.low, a.low}, {a.high, a.high}, {a.high, a.low},
        {a.high, b.low}, {b.high, b.high}, {b.low, a.low}, {b.high, a.high},
        {x, y}, {y, y}, {y, x}, a, {a.high, b.low}, {a.low, b.high}};
    // clang-format on
    Pair on_host[moves_count];
    moves(half2_of(a), half2_of(b), floats[2 * i], floats[2 * i + 1], on_host);
    for (unsigned j = 0; j < moves_count; ++j) {
      const Pair got = out[moves_count * i + j];
      check(distance(got.low, wanted[j].low) == 0 && distance(got.high, wanted[j].high) == 0,
            "move " + std::to_string(j));
      check(distance(on_host[j].low, wanted[j].low) == 0 && distance(on_host[j].high, wanted[j].high) == 0,
            "move on the host " + std::to_string(j));
    }
  }
}

// Between threads: shuffles, loads with hints, products of complex numbers, and atomic sums in both memories.
constexpr unsigned shared_results = 8;
__global__ void between(const half* in, const half2* in2, half* sum, half2* sum2, half2* out) {
  __shared__ half box;
  __shared__ half2 box2;
  const int lane = static_cast<int>(threadIdx.x);
  const half a = __ldg(in + lane);
  const half2 b = __ldg(in2 + lane);
  half2* mine = out + shared_results * threadIdx.x;
  const unsigned all = 0xffffffff;
  *mine++ = make_half2(__shfl_sync(all, a, 31 - lane), __shfl_xor_sync(all, a, 5));
  *mine++ = make_half2(__shfl_up_sync(all, a, 3), __shfl_down_sync(all, a, 2, 8));
  *mine++ = __hadd2(__shfl_sync(all, b, 7), __shfl_xor_sync(all, b, 1));
  *mine++ = __hadd2(__shfl_up_sync(all, b, 1), __shfl_down_sync(all, b, 1));
  *mine++ = make_half2(__ldcg(in + lane), __ldcs(in + 31 - lane));
  *mine++ = __hcmadd(b, in2[31 - lane], b);
  if (lane == 0) {
    box = __float2half(1);
    box2 = __floats2half2_rn(2, 3);
  }
  __syncthreads();
  atomicAdd(&box, __float2half(0.5F));
  atomicAdd(&box2, __floats2half2_rn(0.25F, -0.5F));
  atomicAdd(sum + lane % 3, __int2half_rn(lane));
  const half2 old = atomicAdd(sum2, __floats2half2_rn(1, 2));
  __syncthreads();
  *mine++ = make_half2(box, box2.y);
  *mine++ = make_half2(__low2half(old), box2.x);
}

static void check_between() {
  const Both<half> in(32), sum(3);
  const Both<half2> in2(32), sum2(1), out(32 * shared_results);
  for (int i = 0; i < 32; ++i) {
    in[i] = __int2half_rn(i);
    in2[i] = __floats2half2_rn(static_cast<float>(i), static_cast<float>(100 + i));
  }
  for (int i = 0; i < 3; ++i) sum[i] = 0.0F;
  sum2[0] = __float2half2_rn(0);
  between<<<1, 32>>>(in.data, in2.data, sum.data, sum2.data, out.data);
  check(cudaDeviceSynchronize() == cudaSuccess, "between");
  unsigned seen = 0;
  for (int i = 0; i < 32; ++i) {
    const auto is = [&](int j, float low, float high, const char* what) {
      const float2 got = __half22float2(out[static_cast<std::size_t>(i * static_cast<int>(shared_results) + j)]);
      check(got.x == low && got.y == high, what);
    };
    const auto number = [](int x) { return static_cast<float>(x); };
    const int up = i < 1 ? i : i - 1, down = i < 31 ? i + 1 : i;
    is(0, number(31 - i), number(i ^ 5), "__shfl_sync or __shfl_xor_sync");
    is(1, number(i < 3 ? i : i - 3), number(i % 8 < 6 ? i + 2 : i), "__shfl_up_sync or __shfl_down_sync");
    is(2, number(7 + (i ^ 1)), number(207 + (i ^ 1)), "__shfl_sync or __shfl_xor_sync of a pair");
    is(3, number(up + down), number(200 + up + down), "__shfl_up_sync or __shfl_down_sync of a pair");
    is(4, number(i), number(31 - i), "__ldcg or __ldcs");
    const int j = 31 - i;
    const float real = value_of(rounded(value_of(rounded(i * j + i)) - (100 + i) * (100 + j)));
    const float imaginary = value_of(rounded(value_of(rounded(i * (100 + j) + 100 + i)) + (100 + i) * j));
    is(5, real, imaginary, "__hcmadd");
    is(6, 17, -13, "atomicAdd in shared memory");
    const half2 last = out[static_cast<std::size_t>(i * static_cast<int>(shared_results) + 7)];
    check(__high2float(last) == 10, "atomicAdd of a pair in shared memory");
    seen |= 1U << __half2int_rz(__low2half(last));
  }
  check(seen == 0xffffffff, "old values of atomicAdd");
  check(__low2float(sum2[0]) == 32 && __high2float(sum2[0]) == 64, "atomicAdd of a pair");
  for (int i = 0; i < 3; ++i) {
    int wanted = 0;
    for (int j = i; j < 32; j += 3) wanted += j;
    check(__half2float(sum[i]) == static_cast<float>(wanted), "atomicAdd");
  }
}

int main(int count, char** arguments) {
  const unsigned step = step_of(count, arguments);
  check(sizeof(half) == 2 && alignof(half) == 2 && sizeof(half2) == 4 && alignof(half2) == 4, "sizes");
  check_all_halves();
  check_from_floats(step);
  check_integers(step);
  check_operators(step);
  check_moves();
  check_between();
  return verdict();
}
