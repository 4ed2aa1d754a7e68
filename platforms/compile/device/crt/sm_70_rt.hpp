// SPDX-License-Identifier: Apache-2.0
#pragma once
/* clang's header of intrinsics includes this file of CUDA: __match_any_sync and __match_all_sync. */

#define RECONVERGE_MATCH(type, bits, word)                                                 \
  __device__ inline unsigned __match_any_sync(unsigned mask, type value) {                 \
    return __match##bits##_any_sync(mask, __builtin_bit_cast(word, value));                \
  }                                                                                        \
  __device__ inline unsigned __match_all_sync(unsigned mask, type value, int* predicate) { \
    return __match##bits##_all_sync(mask, __builtin_bit_cast(word, value), predicate);     \
  }
RECONVERGE_MATCH(int, 32, unsigned)
RECONVERGE_MATCH(unsigned, 32, unsigned)
RECONVERGE_MATCH(float, 32, unsigned)
RECONVERGE_MATCH(long, 64, unsigned long long)
RECONVERGE_MATCH(unsigned long, 64, unsigned long long)
RECONVERGE_MATCH(long long, 64, unsigned long long)
RECONVERGE_MATCH(unsigned long long, 64, unsigned long long)
RECONVERGE_MATCH(double, 64, unsigned long long)
#undef RECONVERGE_MATCH
