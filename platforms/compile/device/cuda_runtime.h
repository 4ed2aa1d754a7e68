#pragma once
/* CUDA C++ on a machine without a CUDA toolkit. For clang -x cuda: the keywords, types and functions of device code,
   and the runtime's functions for host code. `reconverge compile` and `reconverge build` include this header before a
   source. For a plain C++ compiler: types and the runtime's functions.
   docs/launch.md lists what is supported and what is not. */

#if defined(__NVCC__)
#error "these headers are for clang -x cuda and for plain C++; nvcc has its own headers"
#endif
#ifndef __cplusplus
#error "these headers are for C++: C cannot include them"
#endif

#if defined(__clang__) && defined(__CUDA__)
/* libclc is compiled for a target of another name. */
#pragma clang diagnostic ignored "-Wlinker-warnings"
/* Loops that ask to be unrolled and cannot be. */
#pragma clang diagnostic ignored "-Wpass-failed"
/* nvcc accepts the word in C++17. */
#pragma clang diagnostic ignored "-Wregister"
#endif

/* Programs ask by this name whether they may use the runtime. */
#define __CUDA_RUNTIME_H__ /* NOLINT(bugprone-reserved-identifier) */

#include "reconverge/keywords.h"

/* Each needs the headers above it. clang's headers have threadIdx and similar, shuffles, votes, __ldg, funnel shifts.
 */
/* clang-format off */
#if defined(__clang__) && defined(__CUDA__)
#include "reconverge/math_names.h"
#include "reconverge/standard.h"
#include <__clang_cuda_builtin_vars.h>
#include "reconverge/types.h"
#include "reconverge/barriers.h"
#include "reconverge/words.h"
#include <__clang_cuda_intrinsics.h>
#include "reconverge/addresses.h"
#include "reconverge/atomics.h"
#include "reconverge/launch.h"
#include "reconverge/host.h"
#include "reconverge/math.h"
#include "reconverge/intrinsics.h"
#include "reconverge/textures.h"
#include "reconverge/simd_words.h"
/* Programs ask by this name whether functions may have the keywords above. */
#define __NVCC__ 1 /* NOLINT(bugprone-reserved-identifier) */
#else
#include "reconverge/host.h"
#endif
/* clang-format on */
// SPDX-License-Identifier: Apache-2.0
