#pragma once
/* The host side of corpus/device.h. A block's threads are fibres that take turns at barriers and warp operations. */

#include <array>
#include <cmath>
#include <cstdio>

#include "platforms/kernels/block_fibres.hpp"
#include "platforms/kernels/device.h"

namespace reconverge::corpus {

using kernels::block_index;
using kernels::block_size;
using kernels::grid_size;
using kernels::synchronise;
using kernels::thread_index;

using kernels::synchronise_warp;

/* The words that the threads of the running warp have stored. */
unsigned* warp_slots();
unsigned lane_of_thread();

/* Dynamic shared memory: the launch provides it in addition to the block's own. */
void* dynamic_memory();
template <typename T>
T* dynamic_shared() {
  return static_cast<T*>(dynamic_memory());
}

/* Each lane stores a word; `read` then sees all 32. */
template <typename Read>
unsigned exchange(unsigned value, Read read) {
  warp_slots()[lane_of_thread()] = value;
  synchronise_warp();
  const unsigned result = read(warp_slots());
  synchronise_warp();
  return result;
}

inline unsigned shuffle(unsigned value, unsigned from) {
  return exchange(value, [=](const unsigned* slots) { return slots[from % 32]; });
}
inline unsigned shuffle_xor(unsigned value, unsigned mask) { return shuffle(value, lane_of_thread() ^ mask); }
inline unsigned shuffle_up(unsigned value, unsigned by) {
  return shuffle(value, lane_of_thread() < by ? lane_of_thread() : lane_of_thread() - by);
}
inline unsigned shuffle_down(unsigned value, unsigned by) {
  return shuffle(value, lane_of_thread() + by > 31 ? lane_of_thread() : lane_of_thread() + by);
}
inline unsigned match_any(unsigned value) {
  return exchange(value, [=](const unsigned* slots) {
    unsigned same = 0;
    for (unsigned i = 0; i < 32; ++i) same |= slots[i] == value ? 1U << i : 0U;
    return same;
  });
}
inline unsigned ballot(bool predicate) {
  return exchange(predicate ? 1 : 0, [](const unsigned* slots) {
    unsigned set = 0;
    for (unsigned i = 0; i < 32; ++i) set |= slots[i] << i;
    return set;
  });
}
inline bool vote_all(bool predicate) { return ballot(predicate) == 0xffffffffU; }
inline bool vote_any(bool predicate) { return ballot(predicate) != 0; }

/* Threads of a twin run one at a time: no atomic instruction is needed. */
template <typename T, typename Change>
T update(T* address, Change change) {
  const T old = *address;
  *address = change(old);
  return old;
}
inline unsigned atomic_add(unsigned* p, unsigned v) {
  return update(p, [=](unsigned old) { return old + v; });
}
inline unsigned long long atomic_add(unsigned long long* p, unsigned long long v) {
  return update(p, [=](unsigned long long old) { return old + v; });
}
inline unsigned atomic_min(unsigned* p, unsigned v) {
  return update(p, [=](unsigned old) { return v < old ? v : old; });
}
inline int atomic_max(int* p, int v) {
  return update(p, [=](int old) { return v > old ? v : old; });
}
inline unsigned atomic_and(unsigned* p, unsigned v) {
  return update(p, [=](unsigned old) { return old & v; });
}
inline unsigned atomic_or(unsigned* p, unsigned v) {
  return update(p, [=](unsigned old) { return old | v; });
}
inline unsigned atomic_xor(unsigned* p, unsigned v) {
  return update(p, [=](unsigned old) { return old ^ v; });
}
inline unsigned atomic_exchange(unsigned* p, unsigned v) {
  return update(p, [=](unsigned) { return v; });
}
inline unsigned atomic_compare_exchange(unsigned* p, unsigned expected, unsigned v) {
  return update(p, [=](unsigned old) { return old == expected ? v : old; });
}
inline unsigned atomic_increment(unsigned* p, unsigned limit) {
  return update(p, [=](unsigned old) { return old >= limit ? 0 : old + 1; });
}
inline void memory_fence() {}

inline unsigned population(unsigned a) { return static_cast<unsigned>(__builtin_popcount(a)); }
inline unsigned leading_zeros(unsigned a) { return a == 0 ? 32 : static_cast<unsigned>(__builtin_clz(a)); }
inline unsigned find_first_set(unsigned a) { return static_cast<unsigned>(__builtin_ffs(static_cast<int>(a))); }
inline unsigned reverse_bits(unsigned a) {
  unsigned reversed = 0;
  for (unsigned i = 0; i < 32; ++i) reversed |= (a >> i & 1U) << (31 - i);
  return reversed;
}
inline unsigned permute_bytes(unsigned a, unsigned b, unsigned selector) {
  const unsigned long long bytes = static_cast<unsigned long long>(b) << 32U | a;
  unsigned result = 0;
  for (unsigned i = 0; i < 4; ++i) {
    const unsigned which = selector >> 4 * i & 7U;
    result |= static_cast<unsigned>(bytes >> 8 * which & 0xffU) << 8 * i;
  }
  return result;
}
inline unsigned funnel_left(unsigned low, unsigned high, unsigned by) {
  const unsigned long long both = static_cast<unsigned long long>(high) << 32U | low;
  return static_cast<unsigned>(both << (by & 31U) >> 32U);
}
inline unsigned funnel_right(unsigned low, unsigned high, unsigned by) {
  const unsigned long long both = static_cast<unsigned long long>(high) << 32U | low;
  return static_cast<unsigned>(both >> (by & 31U));
}
inline unsigned multiply_high(unsigned a, unsigned b) {
  return static_cast<unsigned>(static_cast<unsigned long long>(a) * b >> 32U);
}

inline float root(float a) { return std::sqrt(a); }
inline double root(double a) { return std::sqrt(a); }
inline float fused(float a, float b, float c) { return std::fma(a, b, c); }
inline double fused(double a, double b, double c) { return std::fma(a, b, c); }

/* Halves, as their bits. What is stored was computed in a wider format that holds it exactly. */
inline double widen(unsigned short half) {
  const int exponent = half >> 10 & 31;
  const double fraction = half & 1023;
  const double size = exponent == 0 ? std::ldexp(fraction, -24) : std::ldexp(1024 + fraction, exponent - 25);
  return (half & 0x8000) != 0 ? -size : size;
}
/* Rounded to nearest, ties to even; for values that a half can hold. */
inline unsigned short narrow(double value) {
  const unsigned sign = std::signbit(value) ? 0x8000U : 0U;
  const double size = std::abs(value);
  if (size == 0) return static_cast<unsigned short>(sign);
  const int exponent = std::max(std::ilogb(size), -14);
  const auto steps = static_cast<unsigned>(std::nearbyint(std::ldexp(size, 10 - exponent)));
  return static_cast<unsigned short>(sign + (static_cast<unsigned>(exponent + 14) << 10U) + steps);
}
inline unsigned short half_from(float a) { return narrow(a); }
inline float float_from(unsigned short a) { return static_cast<float>(widen(a)); }
inline unsigned short half_add(unsigned short a, unsigned short b) { return narrow(widen(a) + widen(b)); }
inline unsigned short half_multiply(unsigned short a, unsigned short b) { return narrow(widen(a) * widen(b)); }
inline unsigned short half_fused(unsigned short a, unsigned short b, unsigned short c) {
  return narrow(widen(a) * widen(b) + widen(c));
}

inline void complain(const char* what, unsigned value) { std::printf(what, value); }

}  // namespace reconverge::corpus
// SPDX-License-Identifier: Apache-2.0
