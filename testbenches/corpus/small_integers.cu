/* Arithmetic of bytes and shorts, signed and unsigned, with its promotions and wraps. */
#include "testbenches/corpus/device.h"

namespace reconverge::corpus {

namespace {
struct Pixel {
  unsigned char red, green, blue, alpha;
};

__device__ Pixel blend(Pixel a, Pixel b) {
  const auto mix = [&](unsigned char x, unsigned char y) {
    return static_cast<unsigned char>((x * a.alpha + y * (255 - a.alpha) + 127) / 255);
  };
  return {mix(a.red, b.red), mix(a.green, b.green), mix(a.blue, b.blue), static_cast<unsigned char>(a.alpha | b.alpha)};
}
}  // namespace

extern "C" __global__ void small_integers(Input input, unsigned* output, unsigned* sums) {
  const unsigned n = thread_number();
  const auto* bytes = reinterpret_cast<const signed char*>(input + n);
  const auto* shorts = reinterpret_cast<const short*>(input + n);
  signed char c = bytes[0];
  unsigned char u = static_cast<unsigned char>(bytes[1]);
  short s = shorts[1];
  unsigned short t = static_cast<unsigned short>(shorts[0]);
  for (int i = 2; i < 12; ++i) {
    c = static_cast<signed char>(c * 3 + bytes[i]);
    u = static_cast<unsigned char>(u + static_cast<unsigned char>(bytes[i]) / 3);
    s = static_cast<short>((s >> 1) - shorts[i] % 7);
    t = static_cast<unsigned short>(t << 1 ^ static_cast<unsigned short>(shorts[i]) >> 3);
    if (c < bytes[i]) --u;
    if (s > shorts[i]) ++t;
    if (static_cast<unsigned char>(c) < u) c = static_cast<signed char>(-c);
  }
  const Pixel pixel = blend({static_cast<unsigned char>(c), u, 200, static_cast<unsigned char>(t)}, {1, 2, 3, 4});
  output[4 * n] = static_cast<unsigned>(c) + (static_cast<unsigned>(u) << 16);
  output[4 * n + 1] = static_cast<unsigned>(s) ^ static_cast<unsigned>(t) << 8;
  output[4 * n + 2] = pixel.red | pixel.green << 8U | pixel.blue << 16U | static_cast<unsigned>(pixel.alpha) << 24U;
  reinterpret_cast<unsigned char*>(output)[16 * n + 13] = static_cast<unsigned char>(s / 3);
  reinterpret_cast<short*>(output)[8 * n + 7] = static_cast<short>(t % 1000 - s / 5);
  atomic_add(&sums[u], 1);
}

}  // namespace reconverge::corpus
// SPDX-License-Identifier: Apache-2.0
