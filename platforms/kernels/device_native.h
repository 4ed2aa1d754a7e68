#pragma once
/* The host side of device.h. */

#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstring>

namespace reconverge::kernels {

/* The position of the running thread. Set by the twin's loops, read by the kernel. */
struct ThreadPlace {
  Index3 thread{};
  Index3 block{};
  Index3 block_size{};
  Index3 grid_size{};
  unsigned ray_state = 1; /* of the thread's ray: shuffled_ray.h */
};
inline thread_local ThreadPlace place;

inline Index3 thread_index() { return place.thread; }
inline Index3 block_index() { return place.block; }
inline Index3 block_size() { return place.block_size; }
inline Index3 grid_size() { return place.grid_size; }

/* Runs the block's other threads up to their barrier. */
void synchronise();

/* The i-th T from an address, whatever type the bytes were written as. */
template <typename T>
T load_as(const void* address, unsigned index) {
  T value{};
  std::memcpy(&value, static_cast<const std::byte*>(address) + std::size_t{index} * sizeof(T), sizeof(T));
  return value;
}

inline Float4 load_float4(const void* address, unsigned index) { return load_as<Float4>(address, index); }
inline Int4 load_int4(const void* address, unsigned index) { return load_as<Int4>(address, index); }
inline Word2 load_word2(const void* address, unsigned index) { return load_as<Word2>(address, index); }
inline int load_int(const int* address) { return *address; }
inline unsigned load_int(const unsigned* address) { return *address; }
inline float load_float(const float* address) { return *address; }

inline Float4 read_float4(const Float4* address) { return *address; }
inline void write_float4(Float4* address, const Float4& value) { *address = value; }
inline Word2 read_word2(const Word2* address) { return *address; }
inline void write_word2(Word2* address, const Word2& value) { *address = value; }

/* Elements of four bytes, x fastest. */
struct NativeVolume {
  const unsigned char* elements;
  std::array<unsigned, 3> size;
};

/* The formulas of the CUDA C++ Programming Guide ("Texture Fetching"): weights have 8 bits of fraction; the sum is
   computed in double precision and rounded once. */
inline Float4 fetch_volume(TextureObject texture, float x, float y, float z) {
  /* NOLINTNEXTLINE(performance-no-int-to-ptr): a handle is a number */
  const auto& volume = *reinterpret_cast<const NativeVolume*>(texture);
  std::array<std::array<std::size_t, 2>, 3> index{};
  std::array<double, 3> upper{}; /* weight of the second */
  const std::array<float, 3> coordinate{x, y, z};
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const auto size = static_cast<long long>(volume.size[axis]);
    const double taken_at = static_cast<double>(coordinate[axis]) * static_cast<double>(size) - 0.5;
    const double below = std::floor(taken_at);
    upper[axis] = std::floor((taken_at - below) * 256 + 0.5) / 256;
    for (long long tap = 0; tap < 2; ++tap) {
      const long long rest = (static_cast<long long>(below) + tap) % size;
      index[axis][static_cast<std::size_t>(tap)] = static_cast<std::size_t>(rest < 0 ? rest + size : rest);
    }
  }
  std::array<double, 4> sum{};
  for (std::size_t tap = 0; tap < 8; ++tap) {
    const std::array<std::size_t, 3> at{tap & 1U, tap >> 1U & 1U, tap >> 2U};
    double weight = 1;
    for (std::size_t axis = 0; axis < 3; ++axis) weight *= at[axis] == 0 ? 1 - upper[axis] : upper[axis];
    const std::size_t element = (index[2][at[2]] * volume.size[1] + index[1][at[1]]) * volume.size[0] + index[0][at[0]];
    for (std::size_t i = 0; i < 4; ++i) {
      sum[i] += weight * static_cast<double>(static_cast<float>(volume.elements[4 * element + i]) / 255.0F);
    }
  }
  const auto rounded = [&sum](std::size_t i) { return static_cast<float>(sum[i]); };
  return {rounded(0), rounded(1), rounded(2), rounded(3)};
}

/* Threads of a twin run one at a time: no atomic instruction is needed. */
template <typename T>
T atomic_add(T* address, T value) {
  const T old = *address;
  *address = static_cast<T>(static_cast<unsigned>(old) + static_cast<unsigned>(value));
  return old;
}
inline int atomic_max(int* address, int value) {
  const int old = *address;
  *address = old < value ? value : old;
  return old;
}

inline unsigned population(unsigned word) { return static_cast<unsigned>(std::popcount(word)); }
inline unsigned first_set(unsigned word) { return static_cast<unsigned>(std::countr_zero(word)); }

/* The only thread, in the first lane of a warp. */
inline unsigned lane() { return 0; }
inline unsigned lanes_below() { return 0; }
inline unsigned ballot(bool predicate) { return predicate ? 1 : 0; }
inline bool any_lane(bool predicate) { return predicate; }
inline unsigned shuffle(unsigned value, unsigned /*from*/) { return value; }

inline float fma(float a, float b, float c) { return std::fma(a, b, c); }
inline float reciprocal(float a) { return 1.0F / a; }
inline float quotient(float a, float b) { return a / b; }
inline float square_root(float a) { return std::sqrt(a); }
inline float minimum(float a, float b) {
  if (std::isnan(a)) return b;
  if (a == b) return std::signbit(a) ? a : b;
  return b < a ? b : a;
}
inline float maximum(float a, float b) {
  if (std::isnan(a)) return b;
  if (a == b) return std::signbit(a) ? b : a;
  return b > a ? b : a;
}
inline float absolute(float a) { return std::abs(a); }
inline float round_down(float a) { return std::floor(a); }
inline unsigned float_bits(float a) { return std::bit_cast<unsigned>(a); }
inline float bits_float(unsigned a) { return std::bit_cast<float>(a); }

}  // namespace reconverge::kernels
// SPDX-License-Identifier: Apache-2.0
