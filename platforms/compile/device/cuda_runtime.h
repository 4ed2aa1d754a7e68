#pragma once
/* CUDA C++ for clang on a machine without a CUDA toolkit: the keywords, types and functions of device code, and enough
   host code to read a file that contains both. `reconverge compile` includes this header before a source.
   docs/launch.md says what is supported and what is not. */

#if !defined(__clang__) || !defined(__CUDA__)
#error "this is for clang -x cuda; nvcc has headers of its own"
#endif

/* NOLINTBEGIN(bugprone-reserved-identifier): CUDA's own words. */
/* CUDA 10: the first version for which clang's own header of intrinsics defines everything. */
#define CUDA_VERSION 10000
#define __host__ __attribute__((host))
#define __device__ __attribute__((device))
#define __global__ __attribute__((global))
#define __shared__ __attribute__((shared))
#define __constant__ __attribute__((constant))
#define __launch_bounds__(...) __attribute__((launch_bounds(__VA_ARGS__)))
#define __forceinline__ __inline__ __attribute__((always_inline))
#define __align__(bytes) __attribute__((aligned(bytes)))

/* The C library's headers come first: some use `noinline` between underscores as an attribute. */
#include <assert.h>
#include <limits.h>
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#if __clang_major__ < 15 /* which knows it as a keyword */
#define __noinline__ __attribute__((noinline))
#endif
/* NOLINTEND(bugprone-reserved-identifier) */

/* Each needs the headers above it. clang's headers have threadIdx and similar, shuffles, votes, __ldg, funnel shifts.
 */
/* clang-format off */
#include <__clang_cuda_builtin_vars.h>
#include "reconverge/types.h"
#include "reconverge/words.h"
#include <__clang_cuda_intrinsics.h>
#include "reconverge/atomics.h"
#include "reconverge/host.h"
#include "reconverge/math.h"
/* clang-format on */
// SPDX-License-Identifier: Apache-2.0
