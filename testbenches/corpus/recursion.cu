/* Functions that call themselves: Fibonacci, Ackermann, Hanoi, and two functions that call each other. */
#include "testbenches/corpus/device.h"

namespace reconverge::corpus {

namespace {
__device__ __noinline__ unsigned fibonacci(unsigned n) { return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2); }

__device__ __noinline__ unsigned ackermann(unsigned m, unsigned n) {
  if (m == 0) return n + 1;
  if (n == 0) return ackermann(m - 1, 1);
  return ackermann(m - 1, ackermann(m, n - 1));
}

__device__ __noinline__ void hanoi(unsigned disks, unsigned from, unsigned to, unsigned* trace) {
  if (disks == 0) return;
  hanoi(disks - 1, from, 3 - from - to, trace);
  *trace = *trace * 31 + 8 * disks + 3 * from + to;
  hanoi(disks - 1, 3 - from - to, to, trace);
}

__device__ bool is_odd(unsigned n);
__device__ __noinline__ bool is_even(unsigned n) { return n == 0 || is_odd(n - 1); }
__device__ __noinline__ bool is_odd(unsigned n) { return n != 0 && is_even(n - 1); }

__device__ __noinline__ unsigned collatz_steps(unsigned long long n) {
  return n <= 1 ? 0 : 1 + collatz_steps(n % 2 == 0 ? n / 2 : 3 * n + 1);
}
}  // namespace

extern "C" __global__ void recursion(Input input, unsigned* output, unsigned* sums) {
  const unsigned n = thread_number();
  unsigned trace = n;
  hanoi(n % 5, 0, 2, &trace);
  output[5 * n] = fibonacci(input[n] % 9);
  output[5 * n + 1] = ackermann(n % 3, input[n] % 3);
  output[5 * n + 2] = trace;
  output[5 * n + 3] = is_even(input[n] % 12) ? 1 : 2;
  output[5 * n + 4] = collatz_steps(1 + input[n] % 30);
  atomic_add(&sums[n % 16], output[5 * n]);
}

}  // namespace reconverge::corpus
// SPDX-License-Identifier: Apache-2.0
