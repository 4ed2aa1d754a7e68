#pragma once
/* CUDA's SIMD functions: on two halves or four bytes of a word, signed or unsigned, wrapping or saturating. No GPU
   since Kepler has instructions for most of them. */

namespace reconverge {

/* Element i of a word of elements of type Part. */
template <class Part>
__device__ inline Part part_of(unsigned a, unsigned i) {
  return static_cast<Part>(a >> (8 * sizeof(Part) * i));
}

/* The word of operation(a's element, b's element), each converted to the element's width. */
template <class Part, class Operation>
__device__ inline unsigned by_part(unsigned a, unsigned b, Operation operation) {
  unsigned result = 0;
  constexpr unsigned bits = 8 * sizeof(Part);
#pragma unroll
  for (unsigned i = 0; i < 32 / bits; ++i) {
    const unsigned part =
        static_cast<unsigned>(operation(static_cast<int>(part_of<Part>(a, i)), static_cast<int>(part_of<Part>(b, i))));
    result |= (part & ((1U << bits) - 1)) << (bits * i);
  }
  return result;
}

/* The sum of operation(a's element, b's element). */
template <class Part, class Operation>
__device__ inline unsigned sum_of_parts(unsigned a, unsigned b, Operation operation) {
  unsigned sum = 0;
#pragma unroll
  for (unsigned i = 0; i < 4 / sizeof(Part); ++i)
    sum +=
        static_cast<unsigned>(operation(static_cast<int>(part_of<Part>(a, i)), static_cast<int>(part_of<Part>(b, i))));
  return sum;
}

/* The nearest value of the element's type. */
template <class Part>
__device__ inline int saturated(int a) {
  constexpr int bits = 8 * sizeof(Part);
  constexpr bool is_signed = static_cast<Part>(-1) < 0;
  constexpr int most = is_signed ? (1 << (bits - 1)) - 1 : (1 << bits) - 1;
  constexpr int least = is_signed ? -most - 1 : 0;
  return a > most ? most : a < least ? least : a;
}

}  // namespace reconverge

#define RECONVERGE_SIMD(name, part, expression)                                             \
  __device__ inline unsigned name(unsigned a, unsigned b) {                                 \
    return reconverge::by_part<part>(a, b, [](int x, int y) -> int { return expression; }); \
  }
#define RECONVERGE_SIMD_ONE(name, part, expression)                                       \
  __device__ inline unsigned name(unsigned a) {                                           \
    return reconverge::by_part<part>(a, a, [](int x, int) -> int { return expression; }); \
  }
#define RECONVERGE_SIMD_SUM(name, part, expression)                                              \
  __device__ inline unsigned name(unsigned a, unsigned b) {                                      \
    return reconverge::sum_of_parts<part>(a, b, [](int x, int y) -> int { return expression; }); \
  }
/* vcmp gives all bits of an element, vset one. */
#define RECONVERGE_SIMD_COMPARE(parts, name, part, condition)      \
  RECONVERGE_SIMD(__vcmp##name##parts, part, (condition) ? -1 : 0) \
  RECONVERGE_SIMD(__vset##name##parts, part, (condition) ? 1 : 0)
#define RECONVERGE_SIMD_ALL(parts, signed_part, unsigned_part)                                          \
  RECONVERGE_SIMD(__vadd##parts, unsigned_part, x + y)                                                  \
  RECONVERGE_SIMD(__vsub##parts, unsigned_part, x - y)                                                  \
  RECONVERGE_SIMD(__vaddss##parts, signed_part, reconverge::saturated<signed_part>(x + y))              \
  RECONVERGE_SIMD(__vsubss##parts, signed_part, reconverge::saturated<signed_part>(x - y))              \
  RECONVERGE_SIMD(__vaddus##parts, unsigned_part, reconverge::saturated<unsigned_part>(x + y))          \
  RECONVERGE_SIMD(__vsubus##parts, unsigned_part, reconverge::saturated<unsigned_part>(x - y))          \
  RECONVERGE_SIMD(__vavgs##parts, signed_part, (x + y + (x + y >= 0)) >> 1)                             \
  RECONVERGE_SIMD(__vavgu##parts, unsigned_part, (x + y + 1) >> 1)                                      \
  RECONVERGE_SIMD(__vhaddu##parts, unsigned_part, (x + y) >> 1)                                         \
  RECONVERGE_SIMD(__vmaxs##parts, signed_part, x < y ? y : x)                                           \
  RECONVERGE_SIMD(__vmaxu##parts, unsigned_part, x < y ? y : x)                                         \
  RECONVERGE_SIMD(__vmins##parts, signed_part, y < x ? y : x)                                           \
  RECONVERGE_SIMD(__vminu##parts, unsigned_part, y < x ? y : x)                                         \
  RECONVERGE_SIMD(__vabsdiffs##parts, signed_part, x < y ? y - x : x - y)                               \
  RECONVERGE_SIMD(__vabsdiffu##parts, unsigned_part, x < y ? y - x : x - y)                             \
  RECONVERGE_SIMD_SUM(__vsads##parts, signed_part, x < y ? y - x : x - y)                               \
  RECONVERGE_SIMD_SUM(__vsadu##parts, unsigned_part, x < y ? y - x : x - y)                             \
  RECONVERGE_SIMD_ONE(__vabs##parts, signed_part, x < 0 ? -x : x)                                       \
  RECONVERGE_SIMD_ONE(__vabsss##parts, signed_part, reconverge::saturated<signed_part>(x < 0 ? -x : x)) \
  RECONVERGE_SIMD_ONE(__vneg##parts, signed_part, -x)                                                   \
  RECONVERGE_SIMD_ONE(__vnegss##parts, signed_part, reconverge::saturated<signed_part>(-x))             \
  RECONVERGE_SIMD_COMPARE(parts, eq, unsigned_part, x == y)                                             \
  RECONVERGE_SIMD_COMPARE(parts, ne, unsigned_part, x != y)                                             \
  RECONVERGE_SIMD_COMPARE(parts, gts, signed_part, x > y)                                               \
  RECONVERGE_SIMD_COMPARE(parts, gtu, unsigned_part, x > y)                                             \
  RECONVERGE_SIMD_COMPARE(parts, ges, signed_part, x >= y)                                              \
  RECONVERGE_SIMD_COMPARE(parts, geu, unsigned_part, x >= y)                                            \
  RECONVERGE_SIMD_COMPARE(parts, lts, signed_part, x < y)                                               \
  RECONVERGE_SIMD_COMPARE(parts, ltu, unsigned_part, x < y)                                             \
  RECONVERGE_SIMD_COMPARE(parts, les, signed_part, x <= y)                                              \
  RECONVERGE_SIMD_COMPARE(parts, leu, unsigned_part, x <= y)
RECONVERGE_SIMD_ALL(2, short, unsigned short)
RECONVERGE_SIMD_ALL(4, signed char, unsigned char)
#undef RECONVERGE_SIMD_ALL
#undef RECONVERGE_SIMD_COMPARE
#undef RECONVERGE_SIMD_SUM
#undef RECONVERGE_SIMD_ONE
#undef RECONVERGE_SIMD
// SPDX-License-Identifier: Apache-2.0
