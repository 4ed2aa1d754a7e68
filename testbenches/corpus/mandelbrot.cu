/* Mandelbrot set in double precision, a two-dimensional grid. */
#include "testbenches/corpus/device.h"

namespace reconverge::corpus {

extern "C" __global__ void mandelbrot(Input input, unsigned* output, unsigned* sums) {
  const unsigned x = block_index().x * block_size().x + thread_index().x;
  const unsigned y = block_index().y * block_size().y + thread_index().y;
  const unsigned width = grid_size().x * block_size().x;
  const unsigned limit = 40 + input[0] % 8;
  const double a = -2.0 + 2.5 * x / width;
  const double b = -1.0 + 2.0 * y / (grid_size().y * block_size().y);
  double re = 0;
  double im = 0;
  unsigned n = 0;
  while (n < limit) {
    const double square = re * re - im * im;
    if (re * re + im * im > 4.0) break;
    im = 2.0 * re * im + b;
    re = square + a;
    ++n;
  }
  output[y * width + x] = n;
  atomic_add(&sums[n % 256], 1);
}

}  // namespace reconverge::corpus
// SPDX-License-Identifier: Apache-2.0
