// SPDX-License-Identifier: Apache-2.0
// Counts bytes by value, in memory that host and device share. Usage: histogram [bytes]
#include <algorithm>
#include <numeric>
#include <random>
#include <vector>

#include "check.h"

constexpr unsigned bins = 256;
constexpr unsigned blocks = 16;

// Each thread block counts in shared memory, where atomics are cheap, and then adds its counts to those of the grid.
__global__ void count_values(const unsigned char* values, unsigned* counts, unsigned count) {
  __shared__ unsigned block_counts[bins];
  for (unsigned bin = threadIdx.x; bin < bins; bin += blockDim.x) block_counts[bin] = 0;
  __syncthreads();

  const unsigned stride = gridDim.x * blockDim.x;
  for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += stride)
    atomicAdd(&block_counts[values[i]], 1u);
  __syncthreads();

  for (unsigned bin = threadIdx.x; bin < bins; bin += blockDim.x)
    if (block_counts[bin] != 0) atomicAdd(&counts[bin], block_counts[bin]);
}

// The sum of two dice with 100 sides: values in the middle are frequent, so atomics of a warp often meet.
void fill(unsigned char* values, unsigned count) {
  std::mt19937 random(4);
  std::generate(values, values + count, [&] { return static_cast<unsigned char>(random() % 100 + random() % 100); });
}

int main(int argument_count, char** arguments) {
  const unsigned count = size_argument(argument_count, arguments, 100000);
  unsigned char* values = nullptr;
  unsigned* counts = nullptr;
  CHECK(cudaMallocManaged(&values, count));
  CHECK(cudaMallocManaged(&counts, bins * sizeof(unsigned)));
  fill(values, count);
  CHECK(cudaMemset(counts, 0, bins * sizeof(unsigned)));

  count_values<<<blocks, 128>>>(values, counts, count);
  CHECK(cudaGetLastError());
  // The host must not touch managed memory before the kernel has ended.
  CHECK(cudaDeviceSynchronize());

  std::vector<unsigned> expected(bins);
  for (unsigned i = 0; i < count; ++i) ++expected[values[i]];
  const unsigned* const most = std::max_element(counts, counts + bins);
  const unsigned total = std::accumulate(counts, counts + bins, 0u);
  std::printf("%u bytes counted, most often %td: %u times\n", total, most - counts, *most);
  const bool right = std::equal(expected.begin(), expected.end(), counts);
  CHECK(cudaFree(values));
  CHECK(cudaFree(counts));
  return verdict(right);
}
