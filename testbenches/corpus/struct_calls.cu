/* Functions that are not inlined, with records as arguments and results, some of odd sizes. */
#include "testbenches/corpus/device.h"

namespace reconverge::corpus {

namespace {
struct Small {
  unsigned char kind;
  short value;
};
struct Vector3 {
  float x, y, z;
};
struct Large {
  unsigned words[7];
  unsigned char tag[3];
  double weight;
};

__device__ __noinline__ Small flip(Small a) {
  return {static_cast<unsigned char>(a.kind ^ 0xffU), static_cast<short>(-a.value)};
}

__device__ __noinline__ Vector3 cross(Vector3 a, Vector3 b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

__device__ __noinline__ Large turn(Large a, unsigned by) {
  Large b{};
  for (unsigned i = 0; i < 7; ++i) b.words[i] = a.words[(i + by) % 7];
  for (unsigned i = 0; i < 3; ++i) b.tag[i] = static_cast<unsigned char>(a.tag[(i + by) % 3] + 1);
  b.weight = a.weight * 0.5 + by;
  return b;
}

__device__ __noinline__ unsigned many(unsigned a, unsigned char b, short c, unsigned long long d, float e, double f,
                                      bool g, const unsigned* h, signed char i) {
  return a + b + static_cast<unsigned>(c) + static_cast<unsigned>(d >> 7) + static_cast<unsigned>(e) +
         static_cast<unsigned>(f) + (g ? h[1] : h[2]) + static_cast<unsigned>(i);
}

__device__ __noinline__ void no_result(Large* a) { a->words[0] ^= a->words[6]; }
}  // namespace

extern "C" __global__ void struct_calls(Input input, unsigned* output, unsigned* sums) {
  const unsigned n = thread_number();
  const unsigned w = input[n];
  const Small small = flip({static_cast<unsigned char>(w), static_cast<short>(w >> 16)});
  const Vector3 v = cross({moderate(w), moderate(w >> 8), 1.5F}, {2.0F, moderate(w >> 16), moderate(w >> 3)});
  Large large{{w, w + 1, w + 2, w + 3, w + 4, w + 5, w + 6}, {1, 2, static_cast<unsigned char>(w)}, 3.0};
  large = turn(large, w % 7);
  no_result(&large);
  unsigned* const out = output + 16 * n;
  out[0] = static_cast<unsigned>(small.kind) << 16 | static_cast<unsigned short>(small.value);
  out[1] = bits_of(v.x);
  out[2] = bits_of(v.y);
  out[3] = bits_of(v.z);
  for (unsigned i = 0; i < 7; ++i) out[4 + i] = large.words[i];
  out[11] = large.tag[0] | large.tag[1] << 8U | large.tag[2] << 16U;
  store_double(out + 12, large.weight);
  out[14] = many(w % 1000, static_cast<unsigned char>(w), static_cast<short>(w >> 5), 0x123456789ULL * w, moderate(w),
                 large.weight, w % 3 == 0, input + n, static_cast<signed char>(w >> 9));
  atomic_add(&sums[w % 7], out[14]);
}

}  // namespace reconverge::corpus
// SPDX-License-Identifier: Apache-2.0
