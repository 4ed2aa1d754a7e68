/* Double precision: roots by Newton's method, a polynomial, an integral; conversions to and from integers. */
#include "testbenches/corpus/device.h"

namespace reconverge::corpus {

namespace {
__device__ double cube_root(double a) {
  double x = a < 1.0 ? 1.0 : a;
  for (int i = 0; i < 60; ++i) {
    const double next = (2.0 * x + a / (x * x)) / 3.0;
    const double change = next > x ? next - x : x - next;
    x = next;
    if (change < 1e-14 * x) break;
  }
  return x;
}

__device__ double exponential(double x) {
  double term = 1.0;
  double sum = 1.0;
  for (int i = 1; i < 20; ++i) {
    term = term * x / i;
    sum += term;
  }
  return sum;
}
}  // namespace

extern "C" __global__ void newton(Input input, unsigned* output, unsigned* sums) {
  const unsigned n = thread_number();
  const double a = input[n] / 65536.0;
  double integral = 0;
  for (int i = 0; i < 16; ++i) {
    const double x = (i + 0.5) / 16.0;
    integral += root(1.0 + a * x * x) / 16.0;
  }
  unsigned* const out = output + 12 * n;
  store_double(out, cube_root(a));
  store_double(out + 2, exponential(a / 70000.0));
  store_double(out + 4, integral);
  const double scaled = (a - 30000.0) * 1234.5;
  out[6] = static_cast<unsigned>(static_cast<int>(scaled));
  const auto wide = static_cast<long long>(scaled * 1e6);
  out[7] = static_cast<unsigned>(wide);
  out[8] = static_cast<unsigned>(wide >> 32);
  store_double(out + 9, static_cast<double>(wide / 3) + static_cast<float>(a));
  out[11] = a > 40000.0 ? 2U : a >= 20000.0 ? 1U : 0U;
  atomic_add(&sums[out[11]], 1);
}

}  // namespace reconverge::corpus
// SPDX-License-Identifier: Apache-2.0
