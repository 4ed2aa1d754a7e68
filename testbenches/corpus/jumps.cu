/* Early exits, breaks and continues out of several loops, and loops that are entered in the middle (irreducible). */
#include "testbenches/corpus/device.h"

namespace reconverge::corpus {

namespace {
__device__ unsigned maze(unsigned state) {
  unsigned visits = 0;
  if ((state & 1U) != 0) goto inside;
outside:
  ++visits;
  state = state * 1664525U + 1013904223U;
  if (visits > 40) goto done;
  if ((state >> 28 & 3U) == 0) goto deep;
inside:
  visits += 2;
  state ^= state >> 13;
  if ((state & 8U) != 0) goto outside;
deep:
  visits += 3;
  state = state * 69069U + 1U;
  if (visits > 60) goto done;
  switch (state >> 27 & 3U) {
    case 0:
      goto outside;
    case 1:
      goto inside;
    case 2:
      goto deep;
    default:
      break;
  }
done:
  return state ^ visits << 16;
}

__device__ unsigned search(Input words, unsigned wanted) {
  for (unsigned a = 0; a < 6; ++a) {
    if (words[a] % 5 == 4) continue;
    for (unsigned b = 0; b < 6; ++b) {
      if (words[b] % 7 == 6) break;
      unsigned c = 0;
      do {
        if ((words[a] + words[b] + words[c]) % 16 == wanted) return a * 100 + b * 10 + c;
        if (words[c] % 11 == 0) goto next_a;
      } while (++c < 4);
    }
  next_a:;
  }
  return 999;
}
}  // namespace

extern "C" __global__ void jumps(Input input, unsigned* output, unsigned* sums) {
  const unsigned n = thread_number();
  if (input[n] % 13 == 0) return;
  output[2 * n] = maze(input[n]);
  if (output[2 * n] % 7 == 0) {
    atomic_add(&sums[1], 1);
    return;
  }
  output[2 * n + 1] = search(input + n, input[n + 1] % 16);
  atomic_add(&sums[2], output[2 * n + 1]);
}

}  // namespace reconverge::corpus
// SPDX-License-Identifier: Apache-2.0
