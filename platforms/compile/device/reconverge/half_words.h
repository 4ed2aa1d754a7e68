#pragma once
/* Half precision in words of 16 bits: conversions, by PTX on the device and by integer arithmetic on the host. The
   functions are named by the rounding: to nearest (rn), to zero (rz), down (rd) or up (ru). */

/* The first on the device, the second on the host. */
#ifdef __CUDA_ARCH__
#define RECONVERGE_PTX(on_device, on_host) on_device
#else
#define RECONVERGE_PTX(on_device, on_host) on_host
#endif

namespace reconverge {

#ifndef __CUDA_ARCH__
enum class Rounding { rn, rz, rd, ru };

/* significand * 2^exponent, for significands below 2^53 or exponents that are not negative. */
inline unsigned short round_to_half(bool negative, unsigned long long significand, int exponent, Rounding rounding) {
  const unsigned sign = negative ? 0x8000 : 0;
  if (significand == 0) return static_cast<unsigned short>(sign);
  /* The result counts units of its last bit, which is 10 below the first; subnormal numbers have the least unit. */
  const int first = 63 - __builtin_clzll(significand) + exponent;
  const int unit = (first < -14 ? -14 : first) - 10;
  int shift = unit - exponent;
  if (shift > 63) { /* less than half of the least unit */
    significand = 1;
    shift = 63;
  }
  unsigned long long units = shift > 0 ? significand >> shift : significand << -shift;
  const unsigned long long rest = shift > 0 ? significand - (units << shift) : 0;
  const unsigned long long middle = shift > 0 ? 1ULL << (shift - 1) : 1;
  const bool away = rounding == (negative ? Rounding::rd : Rounding::ru);
  if (rounding == Rounding::rn ? rest > middle || (rest == middle && units % 2 != 0) : away && rest != 0) ++units;
  /* The first bit of `units` adds one to the exponent, unless the number is subnormal. */
  unsigned result = first > 15 ? 0x7c00 : (static_cast<unsigned>(unit + 24) << 10) + static_cast<unsigned>(units);
  if (result >= 0x7c00) result = rounding == Rounding::rn || away ? 0x7c00 : 0x7bff;
  return static_cast<unsigned short>(sign | result);
}

inline unsigned short half_of(double a, Rounding rounding) {
  const unsigned long long word = __builtin_bit_cast(unsigned long long, a);
  const int exponent = static_cast<int>(word >> 52 & 0x7ff);
  const unsigned long long fraction = word & ((1ULL << 52) - 1);
  const bool negative = word >> 63 != 0;
  if (exponent == 0x7ff) return static_cast<unsigned short>(fraction != 0 ? 0x7fff : negative ? 0xfc00 : 0x7c00);
  if (exponent == 0) return round_to_half(negative, fraction, -1074, rounding);
  return round_to_half(negative, fraction | 1ULL << 52, exponent - 1075, rounding);
}
inline unsigned short half_of(float a, Rounding rounding) { return half_of(static_cast<double>(a), rounding); }
template <class Integer>
unsigned short half_of(Integer a, Rounding rounding) {
  const bool negative = a < 0;
  const unsigned long long magnitude = static_cast<unsigned long long>(a);
  return round_to_half(negative, negative ? 0 - magnitude : magnitude, 0, rounding);
}

/* Values out of range become the nearest number of the type. NaN becomes the same value as on a GPU. */
template <class Integer>
Integer integer_of(float a, Rounding rounding) {
  constexpr bool is_signed = static_cast<Integer>(-1) < 0;
  constexpr unsigned long long sign = 1ULL << (8 * sizeof(Integer) - 1);
  constexpr Integer least = static_cast<Integer>(is_signed ? sign : 0);
  constexpr Integer most = static_cast<Integer>(is_signed ? sign - 1 : sign - 1 + sign);
  if (a != a) return static_cast<Integer>(sizeof(Integer) == 8 ? sign : 0);
  const float whole = rounding == Rounding::rn   ? __builtin_rintf(a)
                      : rounding == Rounding::rz ? __builtin_truncf(a)
                      : rounding == Rounding::rd ? __builtin_floorf(a)
                                                 : __builtin_ceilf(a);
  if (whole >= static_cast<float>(most)) return most;
  if (whole <= static_cast<float>(least)) return least;
  return static_cast<Integer>(whole);
}

inline float float_of(unsigned short a) {
  const unsigned sign = (a & 0x8000U) << 16;
  const unsigned exponent = a >> 10 & 31U;
  const unsigned fraction = a & 0x3ffU;
  unsigned word = (exponent + 112) << 23 | fraction << 13;
  if (exponent == 31) word = 0x7f800000U | fraction << 13 | (fraction != 0 ? 0x400000U : 0U);
  if (exponent == 0) word = __builtin_bit_cast(unsigned, static_cast<float>(fraction) * 5.9604644775390625e-8F);
  return __builtin_bit_cast(float, sign | word);
}
#endif

/* Names of types in CUDA's function names, the types, and their names in PTX. */
#define RECONVERGE_EACH_INTEGER(X)      \
  X(short, short, "h", "s16")           \
  X(ushort, unsigned short, "h", "u16") \
  X(int, int, "r", "s32")               \
  X(uint, unsigned, "r", "u32")         \
  X(ll, long long, "l", "s64")          \
  X(ull, unsigned long long, "l", "u64")
#define RECONVERGE_EACH_ROUNDING(X, ...) \
  X(rn, "rn", __VA_ARGS__) X(rz, "rz", __VA_ARGS__) X(rd, "rm", __VA_ARGS__) X(ru, "rp", __VA_ARGS__)

#define RECONVERGE_TO_HALF(mode, in_ptx, type, letter, ptx)       \
  __host__ __device__ inline unsigned short half_##mode(type a) { \
    unsigned short result;                                        \
    RECONVERGE_PTX(asm("cvt." in_ptx ".f16." ptx " %0, %1;"       \
                       : "=h"(result)                             \
                       : letter(a)),                              \
                   result = half_of(a, Rounding::mode));          \
    return result;                                                \
  }
#define RECONVERGE_FROM_HALF(mode, in_ptx, name, type, letter, ptx)         \
  __host__ __device__ inline type name##_##mode(unsigned short a) {         \
    type result;                                                            \
    RECONVERGE_PTX(asm("cvt." in_ptx "i." ptx ".f16 %0, %1;"                \
                       : "=" letter(result)                                 \
                       : "h"(a)),                                           \
                   result = integer_of<type>(float_of(a), Rounding::mode)); \
    return result;                                                          \
  }
#define RECONVERGE_INTEGER(name, type, letter, ptx)               \
  RECONVERGE_EACH_ROUNDING(RECONVERGE_TO_HALF, type, letter, ptx) \
  RECONVERGE_EACH_ROUNDING(RECONVERGE_FROM_HALF, name, type, letter, ptx)
RECONVERGE_EACH_INTEGER(RECONVERGE_INTEGER)
RECONVERGE_EACH_ROUNDING(RECONVERGE_TO_HALF, float, "f", "f32")
RECONVERGE_TO_HALF(rn, "rn", double, "d", "f64")
#undef RECONVERGE_INTEGER
#undef RECONVERGE_FROM_HALF
#undef RECONVERGE_TO_HALF
__host__ __device__ inline unsigned short half_rn(long a) { return half_rn(static_cast<long long>(a)); }
__host__ __device__ inline unsigned short half_rn(unsigned long a) {
  return half_rn(static_cast<unsigned long long>(a));
}

__host__ __device__ inline float to_float(unsigned short a) {
  float result;
  RECONVERGE_PTX(asm("cvt.f32.f16 %0, %1;" : "=f"(result) : "h"(a)), result = float_of(a));
  return result;
}
__host__ __device__ inline signed char schar_rz(unsigned short a) {
  const int whole = short_rz(a);
  return static_cast<signed char>(whole < -128 ? -128 : whole > 127 ? 127 : whole);
}
__host__ __device__ inline unsigned char uchar_rz(unsigned short a) {
  const unsigned whole = ushort_rz(a);
  return static_cast<unsigned char>(whole > 255 ? 255 : whole);
}

}  // namespace reconverge
// SPDX-License-Identifier: Apache-2.0
