#pragma once
/* CUDA's keywords. In plain C++ most of them mean nothing, as in CUDA's own headers. */

/* NOLINTBEGIN(bugprone-reserved-identifier): CUDA's own words. */
/* The last version with texture references and functions such as cudaThreadSynchronize. */
#define CUDA_VERSION 11080
#define CUDART_VERSION 11080
#define CUDARTAPI
#define __builtin_align__(bytes) __attribute__((aligned(bytes)))
#define __align__(bytes) __attribute__((aligned(bytes)))
#define __grid_constant__

#if defined(__clang__) && defined(__CUDA__)
#define __CUDACC__ 1
#define __CUDACC_VER_MAJOR__ 11
#define __CUDACC_VER_MINOR__ 8
#define __host__ __attribute__((host))
#define __device__ __attribute__((device))
#define __global__ __attribute__((global))
#define __shared__ __attribute__((shared))
#define __constant__ __attribute__((constant))
#define __launch_bounds__(...) __attribute__((launch_bounds(__VA_ARGS__)))
#define __forceinline__ __inline__ __attribute__((always_inline))
/* clang would give host and device a variable each, without a warning. */
#define __managed__ _Pragma("GCC error \"__managed__ is not supported: allocate it with cudaMallocManaged\"")
#else
#define __host__
#define __device__
#define __global__
#define __shared__
#define __constant__
#define __launch_bounds__(...)
#define __forceinline__ __inline__ __attribute__((always_inline))
#endif
/* NOLINTEND(bugprone-reserved-identifier) */
// SPDX-License-Identifier: Apache-2.0
