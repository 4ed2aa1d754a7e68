// SPDX-License-Identifier: Apache-2.0
#pragma once
// What the programs for half precision share: references in double precision, and memory of both sides. Their argument
// is the step through all halves; 1 tries each in each function.

#include <cuda_fp16.h>
#include <cuda_runtime.h>

#include <algorithm>
#include <cfloat>
#include <climits>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

using Bits = unsigned short;

static int failures = 0;

static void check(bool holds, const std::string& what) {
  if (holds) return;
  if (failures < 50) std::printf("wrong: %s\n", what.c_str());
  ++failures;
}

// The value of a half, and the half of a value by rounding to nearest (n), to zero (z), down (d) or up (u).
static double value_of(Bits bits) {
  const int exponent = bits >> 10 & 31;
  const int fraction = bits & 1023;
  double value = std::ldexp(exponent > 0 ? fraction + 1024 : fraction, (exponent > 0 ? exponent : 1) - 25);
  if (exponent == 31) value = fraction > 0 ? NAN : INFINITY;
  return bits >= 0x8000 ? -value : value;
}

static Bits rounded(double value, char mode = 'n') {
  if (std::isnan(value)) return 0x7fff;
  const Bits sign = std::signbit(value) ? 0x8000 : 0;
  if (value == 0 || std::isinf(value)) return static_cast<Bits>(sign | (value == 0 ? 0 : 0x7c00));
  const int unit = std::max(std::ilogb(value), -14) - 10;
  const double units = std::ldexp(value, -unit);
  const double whole = std::abs(mode == 'n'   ? std::nearbyint(units)
                                : mode == 'z' ? std::trunc(units)
                                : mode == 'd' ? std::floor(units)
                                              : std::ceil(units));
  const bool infinite = mode == 'n' || mode == (sign != 0 ? 'd' : 'u');
  if (std::ldexp(whole, unit) > 65504) return static_cast<Bits>(sign | (infinite ? 0x7c00 : 0x7bff));
  return static_cast<Bits>(sign + ((unit + 24) << 10) + static_cast<int>(whole));
}

// How many halves lie between two; minus zero is next to zero.
static int distance(Bits a, Bits b) {
  const bool a_nan = (a & 0x7fff) > 0x7c00;
  const bool b_nan = (b & 0x7fff) > 0x7c00;
  if (a_nan || b_nan) return a_nan && b_nan ? 0 : 65536;
  const auto place = [](Bits x) { return x >= 0x8000 ? 0x7fff - x : x; };
  return std::abs(place(a) - place(b));
}

static void expect(Bits got, Bits wanted, int tolerance, const char* name, double x, double y = 0, double z = 0) {
  if (distance(got, wanted) <= tolerance) return;
  char text[200];
  std::snprintf(text, sizeof text, "%s(%.9g, %.9g, %.9g): %04x, not %04x", name, x, y, z, got, wanted);
  check(false, text);
}

// Memory of both sides.
template <class T>
struct Both {
  explicit Both(std::size_t count) { check(cudaMallocManaged(&data, count * sizeof(T)) == cudaSuccess, "memory"); }
  explicit Both(const std::vector<T>& values) : Both(values.size()) { std::copy(values.begin(), values.end(), data); }
  Both(const Both&) = delete;
  Both& operator=(const Both&) = delete;
  ~Both() { cudaFree(data); }
  T& operator[](std::size_t i) const { return data[i]; }
  T* data = nullptr;
};

#define LAUNCH(kernel, count, ...)                              \
  kernel<<<((count) + 127) / 128, 128>>>(__VA_ARGS__, (count)); \
  check(cudaDeviceSynchronize() == cudaSuccess, "kernel of " #kernel)
#define THREAD                                              \
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x; \
  if (i >= count) return

static std::vector<Bits> halves(unsigned step) {
  std::vector<Bits> all;
  for (unsigned i = 0; i < 65536; i += step) all.push_back(static_cast<Bits>(i));
  for (const unsigned i : {0x7c00, 0xfc00, 0x7c01, 0xfe00, 0x8000, 0x3c00, 0x7bff, 0xfbff, 0x0001, 0x83ff, 0x0400})
    all.push_back(static_cast<Bits>(i));
  return all;
}

static unsigned random_state = 1;
static unsigned random_word() {
  random_state = random_state * 1664525 + 1013904223;
  return random_state >> 16 | random_state << 16;
}

// Two halves in a word.
struct alignas(4) Pair {
  Bits low, high;
};

__host__ __device__ inline half2 half2_of(Pair a) {
  return make_half2(__ushort_as_half(a.low), __ushort_as_half(a.high));
}
__host__ __device__ inline Pair pair_of(half2 a) {
  return {__half_as_ushort(__low2half(a)), __half_as_ushort(__high2half(a))};
}

static unsigned step_of(int count, char** arguments) {
  return count > 1 ? static_cast<unsigned>(std::atoi(arguments[1])) : 23;
}

static int verdict() {
  std::printf("%s\n", failures == 0 ? "PASSED" : "FAILED");
  return failures == 0 ? 0 : 1;
}
