/* Cholesky factors of a small matrix in each thread's memory, in double and in single precision. */
#include "testbenches/corpus/device.h"

namespace reconverge::corpus {

namespace {
constexpr int order = 5;

template <typename T>
__device__ void factor(T (*a)[order]) {
  for (int j = 0; j < order; ++j) {
    for (int i = j; i < order; ++i) {
      T sum = a[i][j];
      for (int k = 0; k < j; ++k) sum -= a[i][k] * a[j][k];
      a[i][j] = i == j ? root(sum) : sum / a[j][j];
    }
  }
}

template <typename T>
__device__ T trace_of(Input words) {
  T a[order][order];
  for (int i = 0; i < order; ++i) {
    for (int j = 0; j <= i; ++j) {
      a[i][j] = static_cast<T>(words[i * order + j] % 64) / 16;
      if (i == j) a[i][j] += 20;
      a[j][i] = a[i][j];
    }
  }
  factor(a);
  T trace = 0;
  for (int i = 0; i < order; ++i) trace += a[i][i] + a[order - 1][i];
  return trace;
}
}  // namespace

extern "C" __global__ void cholesky(Input input, unsigned* output, unsigned* sums) {
  const unsigned n = thread_number();
  store_double(output + 3 * n, trace_of<double>(input + n));
  output[3 * n + 2] = bits_of(trace_of<float>(input + 2 * n));
  atomic_xor(&sums[n % 32], output[3 * n]);
}

}  // namespace reconverge::corpus
// SPDX-License-Identifier: Apache-2.0
