#pragma once
/* CUDA's keywords. In plain C++ most of them mean nothing, as in CUDA's own headers. */

/* NOLINTBEGIN(bugprone-reserved-identifier): CUDA's own words. */
/* The last version with texture references and functions such as cudaThreadSynchronize. */
#ifndef CUDART_VERSION
#define CUDART_VERSION 11080
#endif
#define CUDA_VERSION CUDART_VERSION
#define CUDARTAPI
#define __builtin_align__(bytes) __attribute__((aligned(bytes)))
#define __align__(bytes) __attribute__((aligned(bytes)))
#define __grid_constant__

#if defined(__clang__) && defined(__CUDA__)
#define __CUDACC__ 1
#define __CUDACC_VER_MAJOR__ (CUDART_VERSION / 1000)
#define __CUDACC_VER_MINOR__ (CUDART_VERSION / 10 % 100)
#define __host__ __attribute__((host))
#define __device__ __attribute__((device))
#define __global__ __attribute__((global))
#define __shared__ __attribute__((shared))
#define __constant__ __attribute__((constant))
#define __launch_bounds__(...) __attribute__((launch_bounds(__VA_ARGS__)))
#define __forceinline__ __inline__ __attribute__((always_inline))
/* Host and device have one variable: the library finds the host's by its section, and shares its pages. */
#ifdef __CUDA_ARCH__
#define __managed__ __attribute__((device))
#else
#define __managed__ __attribute__((device, section("reconverge_managed"), aligned(4096)))
#endif
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
