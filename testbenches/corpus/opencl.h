#pragma once
/* OpenCL C without a library, for the corpus. One source, two compilers:
     clang -x cl -target nvptx64   PTX
     any C++20 compiler            the native twin
   Vectors are written float4_of(x, y, z, w), because `(float4)(x, y, z, w)` has another meaning in C++. */

/* NOLINTBEGIN(bugprone-reserved-identifier): OpenCL's own names. */
#if !defined(__cplusplus)

typedef unsigned char uchar;
typedef unsigned short ushort;
typedef unsigned int uint;
typedef unsigned long ulong;
typedef unsigned long size_t;
typedef float float4 __attribute__((ext_vector_type(4)));
typedef uint uint4 __attribute__((ext_vector_type(4)));
typedef uchar uchar4 __attribute__((ext_vector_type(4)));

#define CLK_LOCAL_MEM_FENCE 1
#define CLK_GLOBAL_MEM_FENCE 2

static inline size_t get_local_id(uint dimension) {
  return dimension == 0   ? (uint)__nvvm_read_ptx_sreg_tid_x()
         : dimension == 1 ? (uint)__nvvm_read_ptx_sreg_tid_y()
                          : (uint)__nvvm_read_ptx_sreg_tid_z();
}
static inline size_t get_group_id(uint dimension) {
  return dimension == 0   ? (uint)__nvvm_read_ptx_sreg_ctaid_x()
         : dimension == 1 ? (uint)__nvvm_read_ptx_sreg_ctaid_y()
                          : (uint)__nvvm_read_ptx_sreg_ctaid_z();
}
static inline size_t get_local_size(uint dimension) {
  return dimension == 0   ? (uint)__nvvm_read_ptx_sreg_ntid_x()
         : dimension == 1 ? (uint)__nvvm_read_ptx_sreg_ntid_y()
                          : (uint)__nvvm_read_ptx_sreg_ntid_z();
}
static inline size_t get_num_groups(uint dimension) {
  return dimension == 0   ? (uint)__nvvm_read_ptx_sreg_nctaid_x()
         : dimension == 1 ? (uint)__nvvm_read_ptx_sreg_nctaid_y()
                          : (uint)__nvvm_read_ptx_sreg_nctaid_z();
}
static inline size_t get_global_id(uint d) { return get_group_id(d) * get_local_size(d) + get_local_id(d); }
static inline size_t get_global_size(uint d) { return get_num_groups(d) * get_local_size(d); }
static inline void barrier(uint fence) { __syncthreads(); }
static inline uint atomic_add(volatile __global uint* p, uint v) { return __sync_fetch_and_add(p, v); }
static inline uint atomic_inc_local(volatile __local uint* p) { return __sync_fetch_and_add(p, 1); }
static inline uint atomic_max_local(volatile __local uint* p, uint v) { return __sync_fetch_and_umax(p, v); }
static inline float sqrt(float a) { return __nvvm_sqrt_rn_f(a); }
static inline uint popcount(uint a) { return __builtin_popcount(a); }
static inline uint as_uint(float a) { return __builtin_astype(a, uint); }
static inline float4 float4_of(float x, float y, float z, float w) { return (float4)(x, y, z, w); }
static inline float4 load_float4(__global const uint* p) {
  const uint4 bits = *(__global const uint4*)p & 0xffffU;
  return __builtin_convertvector(bits, float4) * 0.00390625f;
}
static inline void store_float4(__global uint* p, float4 a) { *(__global float4*)p = a; }

#else

#include "platforms/kernels/device.h"

using uchar = unsigned char;
using ushort = unsigned short;
using uint = unsigned;
using ulong = unsigned long;
#define __kernel extern "C"
#define __global
#define __local static thread_local
#define __constant static const
#define CLK_LOCAL_MEM_FENCE 1
#define CLK_GLOBAL_MEM_FENCE 2

namespace {

namespace device = reconverge::kernels;

struct float4 {
  float x, y, z, w;
};
[[maybe_unused]] float4 operator+(float4 a, float4 b) { return {a.x + b.x, a.y + b.y, a.z + b.z, a.w + b.w}; }
[[maybe_unused]] float4 operator-(float4 a, float4 b) { return {a.x - b.x, a.y - b.y, a.z - b.z, a.w - b.w}; }
[[maybe_unused]] float4 operator*(float4 a, float4 b) { return {a.x * b.x, a.y * b.y, a.z * b.z, a.w * b.w}; }
[[maybe_unused]] float4 operator*(float4 a, float b) { return {a.x * b, a.y * b, a.z * b, a.w * b}; }
[[maybe_unused]] float4 operator/(float4 a, float b) { return {a.x / b, a.y / b, a.z / b, a.w / b}; }

uint along(const device::Index3& place, uint dimension) {
  return dimension == 0 ? place.x : dimension == 1 ? place.y : place.z;
}
[[maybe_unused]] std::size_t get_local_id(uint d) { return along(device::thread_index(), d); }
[[maybe_unused]] std::size_t get_group_id(uint d) { return along(device::block_index(), d); }
[[maybe_unused]] std::size_t get_local_size(uint d) { return along(device::block_size(), d); }
[[maybe_unused]] std::size_t get_num_groups(uint d) { return along(device::grid_size(), d); }
[[maybe_unused]] std::size_t get_global_id(uint d) { return get_group_id(d) * get_local_size(d) + get_local_id(d); }
[[maybe_unused]] std::size_t get_global_size(uint d) { return get_num_groups(d) * get_local_size(d); }
[[maybe_unused]] void barrier(uint /*fence*/) { device::synchronise(); }
[[maybe_unused]] uint atomic_add(uint* p, uint v) { return device::atomic_add(p, v); }
[[maybe_unused]] uint atomic_inc_local(uint* p) { return device::atomic_add(p, 1U); }
[[maybe_unused]] uint atomic_max_local(uint* p, uint v) {
  const uint old = *p;
  *p = v > old ? v : old;
  return old;
}
[[maybe_unused]] uint popcount(uint a) { return static_cast<uint>(__builtin_popcount(a)); }
[[maybe_unused]] uint as_uint(float a) { return device::float_bits(a); }
[[maybe_unused]] float4 float4_of(float x, float y, float z, float w) { return {x, y, z, w}; }
[[maybe_unused]] float moderate(uint word) { return static_cast<float>(word & 0xffffU) * 0.00390625F; }
[[maybe_unused]] float4 load_float4(const uint* p) {
  return {moderate(p[0]), moderate(p[1]), moderate(p[2]), moderate(p[3])};
}
[[maybe_unused]] void store_float4(uint* p, float4 a) { std::memcpy(p, &a, sizeof a); }

}  // namespace

#endif
/* NOLINTEND(bugprone-reserved-identifier) */
// SPDX-License-Identifier: Apache-2.0
