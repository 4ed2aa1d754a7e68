// SPDX-License-Identifier: Apache-2.0
#pragma once
// Operations on vectors: map, zip, reduce and inclusive_scan. Functions are objects with a __device__ operator().

#include "vector.h"

namespace vector_library {

constexpr unsigned block_threads = 128;

inline unsigned blocks_for(unsigned count) { return (count + block_threads - 1) / block_threads; }
__device__ inline unsigned thread_index() { return blockIdx.x * blockDim.x + threadIdx.x; }

template <class T>
struct Add {
  __device__ T operator()(T a, T b) const { return a + b; }
};

namespace kernels {

template <class In, class Out, class Function>
__global__ void map(const In* in, Out* out, unsigned count, Function function) {
  const unsigned i = thread_index();
  if (i < count) out[i] = function(in[i]);
}

template <class T, class Out, class Function>
__global__ void zip(const T* a, const T* b, Out* out, unsigned count, Function function) {
  const unsigned i = thread_index();
  if (i < count) out[i] = function(a[i], b[i]);
}

// Each thread block combines its elements in pairs, pairs of pairs, and so on.
template <class T, class Function>
__global__ void reduce(const T* in, T* block_results, unsigned count, T neutral, Function function) {
  __shared__ T values[block_threads];
  const unsigned i = thread_index();
  values[threadIdx.x] = i < count ? in[i] : neutral;
  __syncthreads();
  for (unsigned half = block_threads / 2; half > 0; half /= 2) {
    if (threadIdx.x < half) values[threadIdx.x] = function(values[threadIdx.x], values[threadIdx.x + half]);
    __syncthreads();
  }
  if (threadIdx.x == 0) block_results[blockIdx.x] = values[0];
}

// Hillis and Steele, Data parallel algorithms, 1986: after step k an element has the result of 2^k elements.
template <class T, class Function>
__global__ void scan_blocks(const T* in, T* out, T* block_results, unsigned count, Function function) {
  __shared__ T values[block_threads];
  const unsigned i = thread_index();
  if (i < count) values[threadIdx.x] = in[i];
  __syncthreads();
  for (unsigned distance = 1; distance < block_threads; distance *= 2) {
    T value = values[threadIdx.x];
    if (threadIdx.x >= distance && i < count) value = function(values[threadIdx.x - distance], value);
    __syncthreads();
    values[threadIdx.x] = value;
    __syncthreads();
  }
  if (i < count) out[i] = values[threadIdx.x];
  // The last block may have fewer elements, but no block follows that needs its result.
  if (threadIdx.x == block_threads - 1) block_results[blockIdx.x] = values[threadIdx.x];
}

// Each block but the first combines its elements with the result of all blocks before it.
template <class T, class Function>
__global__ void combine_blocks(T* out, const T* results, unsigned count, Function function) {
  const unsigned i = thread_index();
  if (blockIdx.x > 0 && i < count) out[i] = function(results[blockIdx.x - 1], out[i]);
}

}  // namespace kernels

// out[i] = function(in[i])
template <class Out, class In, class Function>
Vector<Out> map(const Vector<In>& in, Function function) {
  Vector<Out> out(in.size());
  if (in.size() == 0) return out;
  kernels::map<<<blocks_for(in.size()), block_threads>>>(in.data(), out.data(), in.size(), function);
  check(cudaGetLastError(), "map");
  return out;
}

// out[i] = function(a[i], b[i])
template <class Out, class T, class Function>
Vector<Out> zip(const Vector<T>& a, const Vector<T>& b, Function function) {
  if (a.size() != b.size()) throw std::invalid_argument("zip: the vectors have different sizes");
  Vector<Out> out(a.size());
  if (a.size() == 0) return out;
  kernels::zip<<<blocks_for(a.size()), block_threads>>>(a.data(), b.data(), out.data(), a.size(), function);
  check(cudaGetLastError(), "zip");
  return out;
}

// All elements combined; the neutral element if there is none. The function must be associative and commutative.
template <class T, class Function>
T reduce(const Vector<T>& in, T neutral, Function function) {
  if (in.size() == 0) return neutral;
  const unsigned blocks = blocks_for(in.size());
  Vector<T> results(blocks);
  kernels::reduce<<<blocks, block_threads>>>(in.data(), results.data(), in.size(), neutral, function);
  check(cudaGetLastError(), "reduce");
  return blocks == 1 ? results.on_host().front() : reduce(results, neutral, function);
}

// out[i] = in[0] and all up to in[i] combined. The function must be associative.
template <class T, class Function>
Vector<T> inclusive_scan(const Vector<T>& in, Function function) {
  Vector<T> out(in.size());
  if (in.size() == 0) return out;
  const unsigned blocks = blocks_for(in.size());
  Vector<T> results(blocks);
  kernels::scan_blocks<<<blocks, block_threads>>>(in.data(), out.data(), results.data(), in.size(), function);
  check(cudaGetLastError(), "inclusive_scan");
  if (blocks == 1) return out;
  const Vector<T> before = inclusive_scan(results, function);
  kernels::combine_blocks<<<blocks, block_threads>>>(out.data(), before.data(), in.size(), function);
  check(cudaGetLastError(), "inclusive_scan");
  return out;
}

}  // namespace vector_library
