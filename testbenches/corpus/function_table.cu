/* Pointers to functions: in a table in constant memory, in a table in device memory, as an argument, in a record. */
#include "testbenches/corpus/device.h"

namespace reconverge::corpus {

namespace {
using Operation = unsigned (*)(unsigned, unsigned);

__device__ unsigned sum(unsigned a, unsigned b) { return a + b; }
__device__ unsigned difference(unsigned a, unsigned b) { return a - b; }
__device__ unsigned product(unsigned a, unsigned b) { return a * b; }
__device__ unsigned mixture(unsigned a, unsigned b) {
  for (unsigned i = 0; i < b % 8; ++i) a = a * 33 ^ i;
  return a;
}

__constant__ const Operation by_number[4] = {sum, difference, product, mixture};
__device__ Operation by_letter[2] = {mixture, product};

struct Step {
  unsigned amount;
  Operation operation;
};

__device__ __noinline__ unsigned fold(const unsigned* words, unsigned count, Operation operation) {
  unsigned result = words[0];
  for (unsigned i = 1; i < count; ++i) result = operation(result, words[i]);
  return result;
}
}  // namespace

extern "C" __global__ void function_table(Input input, unsigned* output, unsigned* sums) {
  const unsigned n = thread_number();
  const unsigned w = input[n];
  Step steps[3] = {{3, by_number[w % 4]}, {w, by_letter[w / 4 % 2]}, {7, difference}};
  unsigned result = n;
  for (const Step& step : steps) result = step.operation(result, step.amount);
  output[3 * n] = result;
  output[3 * n + 1] = fold(input + n, 5, by_number[n % 4]);
  output[3 * n + 2] = fold(input + n, 4, n % 3 == 0 ? mixture : sum);
  atomic_add(&sums[w % 4], result);
}

}  // namespace reconverge::corpus
// SPDX-License-Identifier: Apache-2.0
