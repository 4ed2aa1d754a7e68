#pragma once
/* The device side of device.h: clang's builtins for single PTX instructions. */

namespace reconverge::kernels {

__device__ inline Index3 thread_index() {
  return {static_cast<unsigned>(__nvvm_read_ptx_sreg_tid_x()), static_cast<unsigned>(__nvvm_read_ptx_sreg_tid_y()),
          static_cast<unsigned>(__nvvm_read_ptx_sreg_tid_z())};
}

__device__ inline Index3 block_index() {
  return {static_cast<unsigned>(__nvvm_read_ptx_sreg_ctaid_x()), static_cast<unsigned>(__nvvm_read_ptx_sreg_ctaid_y()),
          static_cast<unsigned>(__nvvm_read_ptx_sreg_ctaid_z())};
}

__device__ inline Index3 block_size() {
  return {static_cast<unsigned>(__nvvm_read_ptx_sreg_ntid_x()), static_cast<unsigned>(__nvvm_read_ptx_sreg_ntid_y()),
          static_cast<unsigned>(__nvvm_read_ptx_sreg_ntid_z())};
}

__device__ inline Index3 grid_size() {
  return {static_cast<unsigned>(__nvvm_read_ptx_sreg_nctaid_x()),
          static_cast<unsigned>(__nvvm_read_ptx_sreg_nctaid_y()),
          static_cast<unsigned>(__nvvm_read_ptx_sreg_nctaid_z())};
}

__device__ inline void synchronise() { __syncthreads(); }

using FloatVector = float __attribute__((ext_vector_type(4)));
using IntVector = int __attribute__((ext_vector_type(4)));
using WordPair = unsigned __attribute__((ext_vector_type(2)));

__device__ inline Float4 load_float4(const void* address, unsigned index) {
  const FloatVector v = __nvvm_ldg_f4(static_cast<const FloatVector*>(address) + index);
  return {v.x, v.y, v.z, v.w};
}

__device__ inline Int4 load_int4(const void* address, unsigned index) {
  const IntVector v = __nvvm_ldg_i4(static_cast<const IntVector*>(address) + index);
  return {v.x, v.y, v.z, v.w};
}

__device__ inline Word2 load_word2(const void* address, unsigned index) {
  const WordPair v = __nvvm_ldg_ui2(static_cast<const WordPair*>(address) + index);
  return {v.x, v.y};
}

__device__ inline int load_int(const int* address) { return __nvvm_ldg_i(address); }
__device__ inline unsigned load_int(const unsigned* address) { return __nvvm_ldg_ui(address); }
__device__ inline float load_float(const float* address) { return __nvvm_ldg_f(address); }

/* As vectors, because clang narrows a record to the elements that change. */
__device__ inline Float4 read_float4(const Float4* address) {
  const FloatVector v = *reinterpret_cast<const FloatVector*>(address);
  return {v.x, v.y, v.z, v.w};
}
__device__ inline void write_float4(Float4* address, const Float4& value) {
  *reinterpret_cast<FloatVector*>(address) = {value.x, value.y, value.z, value.w};
}

__device__ inline Word2 read_word2(const Word2* address) {
  const WordPair v = *reinterpret_cast<const WordPair*>(address);
  return {v.x, v.y};
}
__device__ inline void write_word2(Word2* address, const Word2& value) {
  *reinterpret_cast<WordPair*>(address) = {value.x, value.y};
}

/* clang 14 has no builtin that takes a texture object. */
__device__ inline Float4 fetch_volume(TextureObject texture, float x, float y, float z) {
  Float4 v;
  asm("tex.3d.v4.f32.f32 {%0, %1, %2, %3}, [%4, {%5, %6, %7, %7}];"
      : "=f"(v.x), "=f"(v.y), "=f"(v.z), "=f"(v.w)
      : "l"(texture), "f"(x), "f"(y), "f"(z));
  return v;
}

__device__ inline int atomic_add(int* address, int value) { return __nvvm_atom_add_gen_i(address, value); }
__device__ inline unsigned atomic_add(unsigned* address, unsigned value) {
  return __atomic_fetch_add(address, value, __ATOMIC_RELAXED);
}
__device__ inline int atomic_max(int* address, int value) { return __nvvm_atom_max_gen_i(address, value); }

__device__ inline unsigned population(unsigned word) { return static_cast<unsigned>(__builtin_popcount(word)); }
__device__ inline unsigned first_set(unsigned word) { return static_cast<unsigned>(__builtin_ctz(word)); }

__device__ inline unsigned lane() { return static_cast<unsigned>(__nvvm_read_ptx_sreg_laneid()); }
__device__ inline unsigned lanes_below() { return static_cast<unsigned>(__nvvm_read_ptx_sreg_lanemask_lt()); }
/* clang 14 has builtins for these votes, but no instructions. */
__device__ inline unsigned ballot(bool predicate) {
  unsigned lanes;
  asm volatile("{ .reg .pred p; setp.ne.u32 p, %1, 0; vote.ballot.b32 %0, p; }" : "=r"(lanes) : "r"(predicate ? 1 : 0));
  return lanes;
}
__device__ inline bool any_lane(bool predicate) { return ballot(predicate) != 0; }
__device__ inline unsigned shuffle(unsigned value, unsigned from) {
  return static_cast<unsigned>(__nvvm_shfl_idx_i32(static_cast<int>(value), static_cast<int>(from), 31));
}

__device__ inline float fma(float a, float b, float c) { return __builtin_fmaf(a, b, c); }
__device__ inline float reciprocal(float a) { return __nvvm_rcp_rn_f(a); }
__device__ inline float quotient(float a, float b) { return __nvvm_div_rn_f(a, b); }
__device__ inline float square_root(float a) { return __nvvm_sqrt_rn_f(a); }
__device__ inline float minimum(float a, float b) { return __nvvm_fmin_f(a, b); }
__device__ inline float maximum(float a, float b) { return __nvvm_fmax_f(a, b); }
__device__ inline float absolute(float a) { return __builtin_fabsf(a); }
__device__ inline float round_down(float a) { return __builtin_floorf(a); }
__device__ inline unsigned float_bits(float a) { return __builtin_bit_cast(unsigned, a); }
__device__ inline float bits_float(unsigned a) { return __builtin_bit_cast(float, a); }

}  // namespace reconverge::kernels
// SPDX-License-Identifier: Apache-2.0
