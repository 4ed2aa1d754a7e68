/* Quicksort of each thread's own array, by recursion. */
#include "testbenches/corpus/device.h"

namespace reconverge::corpus {

namespace {
__device__ __noinline__ void sort(int* values, int first, int last) {
  if (first >= last) return;
  const int pivot = values[(first + last) / 2];
  int low = first;
  int high = last;
  while (low <= high) {
    while (values[low] < pivot) ++low;
    while (values[high] > pivot) --high;
    if (low <= high) {
      const int other = values[low];
      values[low++] = values[high];
      values[high--] = other;
    }
  }
  sort(values, first, high);
  sort(values, low, last);
}
}  // namespace

extern "C" __global__ void quicksort(Input input, unsigned* output, unsigned* sums) {
  int values[24];
  const unsigned n = thread_number();
  const int count = 8 + static_cast<int>(n % 17);
  for (int i = 0; i < count; ++i) values[i] = static_cast<int>(input[(n + static_cast<unsigned>(i) * 37) % 1024]);
  sort(values, 0, count - 1);
  for (int i = 0; i < count; ++i) output[24 * n + static_cast<unsigned>(i)] = static_cast<unsigned>(values[i]);
  for (int i = 1; i < count; ++i) {
    if (values[i - 1] > values[i]) atomic_add(&sums[0], 1);
  }
}

}  // namespace reconverge::corpus
// SPDX-License-Identifier: Apache-2.0
