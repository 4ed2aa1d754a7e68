#pragma once
/* The type of half precision, and its conversions by name. */

struct __half_raw {
  unsigned short x;
};

/* NOLINTBEGIN(google-explicit-constructor,hicpp-explicit-conversions): CUDA's conversions are implicit. */
struct __half {
  __half() = default;
  __host__ __device__ constexpr __half(const __half_raw& a) : __x(a.x) {}
  __host__ __device__ constexpr operator __half_raw() const { return {__x}; }
  __host__ __device__ operator __half_raw() const volatile { return {__x}; }
  __host__ __device__ __half& operator=(const __half_raw& a) {
    __x = a.x;
    return *this;
  }
  __host__ __device__ volatile __half& operator=(const __half_raw& a) volatile {
    __x = a.x;
    return *this;
  }

#ifndef __CUDA_NO_HALF_CONVERSIONS__
#define RECONVERGE_CONSTRUCTOR(type) \
  __host__ __device__ __half(type a) : __x(reconverge::half_rn(a)) {}
  RECONVERGE_CONSTRUCTOR(float)
  RECONVERGE_CONSTRUCTOR(double)
  RECONVERGE_CONSTRUCTOR(short)
  RECONVERGE_CONSTRUCTOR(unsigned short)
  RECONVERGE_CONSTRUCTOR(int)
  RECONVERGE_CONSTRUCTOR(unsigned)
  RECONVERGE_CONSTRUCTOR(long)
  RECONVERGE_CONSTRUCTOR(unsigned long)
  RECONVERGE_CONSTRUCTOR(long long)
  RECONVERGE_CONSTRUCTOR(unsigned long long)
#undef RECONVERGE_CONSTRUCTOR
#define RECONVERGE_OPERATOR(type, name) \
  __host__ __device__ operator type() const { return static_cast<type>(reconverge::name(__x)); }
  RECONVERGE_OPERATOR(float, to_float)
  RECONVERGE_OPERATOR(char, schar_rz)
  RECONVERGE_OPERATOR(signed char, schar_rz)
  RECONVERGE_OPERATOR(unsigned char, uchar_rz)
  RECONVERGE_OPERATOR(short, short_rz)
  RECONVERGE_OPERATOR(unsigned short, ushort_rz)
  RECONVERGE_OPERATOR(int, int_rz)
  RECONVERGE_OPERATOR(unsigned, uint_rz)
  RECONVERGE_OPERATOR(long, ll_rz)
  RECONVERGE_OPERATOR(unsigned long, ull_rz)
  RECONVERGE_OPERATOR(long long, ll_rz)
  RECONVERGE_OPERATOR(unsigned long long, ull_rz)
#undef RECONVERGE_OPERATOR
  __host__ __device__ operator bool() const { return (__x & 0x7fff) != 0; }
#endif

 protected: /* CCCL has classes that use it by this name */
  unsigned short __x;
};
/* NOLINTEND(google-explicit-constructor,hicpp-explicit-conversions) */

#ifndef CUDA_NO_HALF
typedef __half half;
typedef __half nv_half;
#endif
typedef __half __nv_half;
typedef __half_raw __nv_half_raw;

__host__ __device__ inline __half __ushort_as_half(unsigned short a) { return __half_raw{a}; }
__host__ __device__ inline __half __short_as_half(short a) { return __half_raw{static_cast<unsigned short>(a)}; }
__host__ __device__ inline unsigned short __half_as_ushort(__half a) { return static_cast<__half_raw>(a).x; }
__host__ __device__ inline short __half_as_short(__half a) { return static_cast<short>(__half_as_ushort(a)); }

__host__ __device__ inline float __half2float(__half a) { return reconverge::to_float(__half_as_ushort(a)); }
__host__ __device__ inline signed char __half2char_rz(__half a) { return reconverge::schar_rz(__half_as_ushort(a)); }
__host__ __device__ inline unsigned char __half2uchar_rz(__half a) { return reconverge::uchar_rz(__half_as_ushort(a)); }
__host__ __device__ inline __half __float2half(float a) { return __ushort_as_half(reconverge::half_rn(a)); }
__host__ __device__ inline __half __double2half(double a) { return __ushort_as_half(reconverge::half_rn(a)); }

#define RECONVERGE_TO_HALF(mode, in_ptx, name, type)                 \
  __host__ __device__ inline __half __##name##2half_##mode(type a) { \
    return __ushort_as_half(reconverge::half_##mode(a));             \
  }
#define RECONVERGE_FROM_HALF(mode, in_ptx, name, type)               \
  __host__ __device__ inline type __half2##name##_##mode(__half a) { \
    return reconverge::name##_##mode(__half_as_ushort(a));           \
  }
#define RECONVERGE_INTEGER(name, type, letter, ptx)        \
  RECONVERGE_EACH_ROUNDING(RECONVERGE_TO_HALF, name, type) \
  RECONVERGE_EACH_ROUNDING(RECONVERGE_FROM_HALF, name, type)
RECONVERGE_EACH_INTEGER(RECONVERGE_INTEGER)
RECONVERGE_EACH_ROUNDING(RECONVERGE_TO_HALF, float, float)
#undef RECONVERGE_INTEGER
#undef RECONVERGE_FROM_HALF
#undef RECONVERGE_TO_HALF
#undef RECONVERGE_EACH_ROUNDING
#undef RECONVERGE_EACH_INTEGER
// SPDX-License-Identifier: Apache-2.0
