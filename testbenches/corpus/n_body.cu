/* Gravity among the bodies of a block, three steps, with IEEE roots and quotients. */
#include "testbenches/corpus/device.h"

namespace reconverge::corpus {

namespace {
struct Body {
  float x, y, z, mass;
};
}  // namespace

extern "C" __global__ void n_body(Input input, unsigned* output, unsigned* sums) {
  __shared__ Body bodies[32];
  const unsigned i = thread_index().x;
  const unsigned n = thread_number();
  Body own{moderate(input[4 * n]), moderate(input[4 * n + 1]), moderate(input[4 * n + 2]),
           moderate(input[4 * n + 3]) + 1.0F};
  float vx = 0;
  float vy = 0;
  float vz = 0;
  for (int step = 0; step < 3; ++step) {
    bodies[i] = own;
    synchronise();
    for (unsigned k = 0; k < block_size().x; ++k) {
      const Body& other = bodies[k];
      const float dx = other.x - own.x;
      const float dy = other.y - own.y;
      const float dz = other.z - own.z;
      const float square = fused(dx, dx, fused(dy, dy, fused(dz, dz, 0.01F)));
      const float inverse = 1.0F / root(square);
      const float pull = other.mass * inverse * inverse * inverse;
      vx += dx * pull;
      vy += dy * pull;
      vz += dz * pull;
    }
    synchronise();
    own.x += vx * 0.125F;
    own.y += vy * 0.125F;
    own.z += vz * 0.125F;
  }
  output[4 * n] = bits_of(own.x);
  output[4 * n + 1] = bits_of(own.y);
  output[4 * n + 2] = bits_of(own.z);
  output[4 * n + 3] = bits_of(vx);
  atomic_xor(&sums[i], bits_of(vz));
}

}  // namespace reconverge::corpus
// SPDX-License-Identifier: Apache-2.0
