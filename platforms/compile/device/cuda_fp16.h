#pragma once
/* CUDA's half precision: __half and __half2, or half and half2, their conversions, operators and functions. Host code
   has conversions, arithmetic and comparisons, as with CUDA 12.2 and later; also plain C++.

   Device code uses the PTX instructions of compute capability 7.5, so that results are rounded as on a GPU. Sums and
   products are never fused. */

#if defined(__clang__) && defined(__CUDA__)
#include "cuda_runtime.h"
#else
#include "reconverge/keywords.h"
#include "reconverge/types.h"
#endif

/* Programs ask by these names whether the types are known. */
#define __CUDA_FP16_H__           /* NOLINT(bugprone-reserved-identifier) */
#define __CUDA_FP16_TYPES_EXIST__ /* NOLINT(bugprone-reserved-identifier) */

/* Each needs the headers above it. */
/* clang-format off */
#include "reconverge/half_words.h"
#include "reconverge/half.h"
#include "reconverge/half_arithmetic.h"
#include "reconverge/half2.h"
#if defined(__clang__) && defined(__CUDA__)
#include "reconverge/half_math.h"
#include "reconverge/half_memory.h"
#endif
/* clang-format on */

#undef RECONVERGE_PTX
// SPDX-License-Identifier: Apache-2.0
