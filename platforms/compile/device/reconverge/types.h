#pragma once
/* CUDA's vectors: char2 to double4 with make_char2 and so on, and dim3. Sizes and alignments are those of the CUDA C++
   Programming Guide ("Built-in Vector Types"). Plain C++ can include it as well. */

#ifndef __host__
#define RECONVERGE_WITHOUT_KEYWORDS
#define __host__
#define __device__
#endif

#define RECONVERGE_VECTORS(type, name, align2, align4)                                                      \
  struct name##1 {                                                                                          \
    type x;                                                                                                 \
  };                                                                                                        \
  struct alignas(align2) name##2 {                                                                          \
    type x, y;                                                                                              \
  };                                                                                                        \
  struct name##3 {                                                                                          \
    type x, y, z;                                                                                           \
  };                                                                                                        \
  struct alignas(align4) name##4 {                                                                          \
    type x, y, z, w;                                                                                        \
  };                                                                                                        \
  __host__ __device__ inline constexpr name##1 make_##name##1(type x) { return {x}; }                       \
  __host__ __device__ inline constexpr name##2 make_##name##2(type x, type y) { return {x, y}; }            \
  __host__ __device__ inline constexpr name##3 make_##name##3(type x, type y, type z) { return {x, y, z}; } \
  __host__ __device__ inline constexpr name##4 make_##name##4(type x, type y, type z, type w) { return {x, y, z, w}; }

RECONVERGE_VECTORS(signed char, char, 2, 4)
RECONVERGE_VECTORS(unsigned char, uchar, 2, 4)
RECONVERGE_VECTORS(short, short, 4, 8)
RECONVERGE_VECTORS(unsigned short, ushort, 4, 8)
RECONVERGE_VECTORS(int, int, 8, 16)
RECONVERGE_VECTORS(unsigned, uint, 8, 16)
RECONVERGE_VECTORS(long, long, 16, 16)
RECONVERGE_VECTORS(unsigned long, ulong, 16, 16)
RECONVERGE_VECTORS(long long, longlong, 16, 16)
RECONVERGE_VECTORS(unsigned long long, ulonglong, 16, 16)
RECONVERGE_VECTORS(float, float, 8, 16)
RECONVERGE_VECTORS(double, double, 16, 16)
#undef RECONVERGE_VECTORS

struct dim3 {
  unsigned x, y, z;
  __host__ __device__ constexpr dim3(unsigned in_x = 1, unsigned in_y = 1, unsigned in_z = 1)
      : x(in_x), y(in_y), z(in_z) {}
  __host__ __device__ constexpr dim3(uint3 v) : x(v.x), y(v.y), z(v.z) {}
  __host__ __device__ constexpr operator uint3() const { return {x, y, z}; }
};

#if defined(__clang__) && defined(__CUDA__)
/* clang's header declares these. */
#define RECONVERGE_INDEX(name)                                                             \
  __device__ inline __cuda_builtin_##name##_t::operator dim3() const { return {x, y, z}; } \
  __device__ inline __cuda_builtin_##name##_t::operator uint3() const { return {x, y, z}; }
RECONVERGE_INDEX(threadIdx)
RECONVERGE_INDEX(blockIdx)
RECONVERGE_INDEX(blockDim)
RECONVERGE_INDEX(gridDim)
#undef RECONVERGE_INDEX
#endif

#ifdef RECONVERGE_WITHOUT_KEYWORDS
#undef RECONVERGE_WITHOUT_KEYWORDS
#undef __host__
#undef __device__
#endif
// SPDX-License-Identifier: Apache-2.0
