#pragma once
/* Headers of the C and C++ libraries that device code needs, or that CUDA's header gives to every program. */

#include <stddef.h>

/* clang's wrapper of <new> calls them. */
extern "C" {
__device__ void* malloc(size_t bytes);
__device__ void free(void* address);
}

#include <assert.h>
#include <limits.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmath>
#include <cstdlib>
#include <new>
#include <utility>

typedef uint32_t cuuint32_t; /* clang's header of intrinsics takes it from CUDA's cuda.h. */
typedef uint64_t cuuint64_t;

#if __clang_major__ < 15 /* which knows it as a keyword */
/* GCC's library uses `noinline` between underscores as an attribute: it must come before the macro. */
#include <memory>
/* NOLINTNEXTLINE(bugprone-reserved-identifier): CUDA's own word. */
#define __noinline__ __attribute__((noinline))
#endif
// SPDX-License-Identifier: Apache-2.0
