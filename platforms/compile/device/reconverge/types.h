#pragma once
/* CUDA's vectors: char2 to double4 with make_char2 and so on, and dim3. Sizes and alignments are those of the CUDA C++
   Programming Guide ("Built-in Vector Types"). */

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
  __host__ __device__ constexpr dim3(unsigned x = 1, unsigned y = 1, unsigned z = 1) : x(x), y(y), z(z) {}
  __host__ __device__ constexpr dim3(uint3 v) : x(v.x), y(v.y), z(v.z) {}
  __host__ __device__ constexpr operator uint3() const { return {x, y, z}; }
};

/* clang's header declares these. */
#define RECONVERGE_INDEX(name)                                                             \
  __device__ inline __cuda_builtin_##name##_t::operator dim3() const { return {x, y, z}; } \
  __device__ inline __cuda_builtin_##name##_t::operator uint3() const { return {x, y, z}; }
RECONVERGE_INDEX(threadIdx)
RECONVERGE_INDEX(blockIdx)
RECONVERGE_INDEX(blockDim)
RECONVERGE_INDEX(gridDim)
#undef RECONVERGE_INDEX
// SPDX-License-Identifier: Apache-2.0
