// SPDX-License-Identifier: Apache-2.0
// Sums numbers in two streams and measures each by events. Usage: reduction [elements]
#include <algorithm>
#include <numeric>
#include <random>

#include "check.h"

constexpr unsigned block_threads = 256;
constexpr unsigned most_blocks = 64;
constexpr unsigned warp_threads = 32;
constexpr unsigned whole_warp = 0xffffffff;

// The first lane gets the sum of the warp.
__device__ unsigned sum_of_warp(unsigned value) {
  for (unsigned distance = warp_threads / 2; distance > 0; distance /= 2)
    value += __shfl_down_sync(whole_warp, value, distance);
  return value;
}

// The first thread gets the sum of the thread block: warps leave their sums in shared memory, and the first adds them.
__device__ unsigned sum_of_block(unsigned value) {
  __shared__ unsigned sums[block_threads / warp_threads];
  const unsigned lane = threadIdx.x % warp_threads;
  const unsigned warp = threadIdx.x / warp_threads;
  value = sum_of_warp(value);
  if (lane == 0) sums[warp] = value;
  __syncthreads();
  if (warp != 0) return 0;
  return sum_of_warp(lane < block_threads / warp_threads ? sums[lane] : 0);
}

__global__ void reduce(const unsigned* values, unsigned* block_sums, unsigned count) {
  unsigned sum = 0;
  const unsigned stride = gridDim.x * blockDim.x;
  for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += stride) sum += values[i];
  sum = sum_of_block(sum);
  if (threadIdx.x == 0) block_sums[blockIdx.x] = sum;
}

// One half of the numbers. It has its own stream: the GPU may copy one half while it reduces the other.
struct Half {
  const unsigned* values = nullptr;  // pinned
  unsigned count = 0;
  unsigned blocks = 0;
  unsigned* block_sums = nullptr;  // pinned
  unsigned *device_values = nullptr, *device_block_sums = nullptr;
  cudaStream_t stream = nullptr;
  cudaEvent_t begin = nullptr, copied = nullptr, reduced = nullptr;
};

Half prepare(const unsigned* values, unsigned count) {
  Half half;
  half.values = values;
  half.count = count;
  half.blocks = std::clamp((count + block_threads - 1) / block_threads, 1u, most_blocks);
  CHECK(cudaMallocHost(&half.block_sums, half.blocks * sizeof(unsigned)));
  CHECK(cudaMalloc(&half.device_values, std::max(count, 1u) * sizeof(unsigned)));
  CHECK(cudaMalloc(&half.device_block_sums, half.blocks * sizeof(unsigned)));
  CHECK(cudaStreamCreate(&half.stream));
  CHECK(cudaEventCreate(&half.begin));
  CHECK(cudaEventCreate(&half.copied));
  CHECK(cudaEventCreate(&half.reduced));
  return half;
}

void start(const Half& half) {
  CHECK(cudaEventRecord(half.begin, half.stream));
  CHECK(cudaMemcpyAsync(half.device_values, half.values, half.count * sizeof(unsigned), cudaMemcpyHostToDevice,
                        half.stream));
  CHECK(cudaEventRecord(half.copied, half.stream));
  reduce<<<half.blocks, block_threads, 0, half.stream>>>(half.device_values, half.device_block_sums, half.count);
  CHECK(cudaGetLastError());
  CHECK(cudaEventRecord(half.reduced, half.stream));
  CHECK(cudaMemcpyAsync(half.block_sums, half.device_block_sums, half.blocks * sizeof(unsigned), cudaMemcpyDeviceToHost,
                        half.stream));
}

// Waits for the stream, prints the times of its copy and of its kernel, and adds the sums of the thread blocks.
unsigned finish(const Half& half) {
  CHECK(cudaStreamSynchronize(half.stream));
  float copy_time = 0;
  float kernel_time = 0;
  CHECK(cudaEventElapsedTime(&copy_time, half.begin, half.copied));
  CHECK(cudaEventElapsedTime(&kernel_time, half.copied, half.reduced));
  const unsigned sum = std::accumulate(half.block_sums, half.block_sums + half.blocks, 0u);
  std::printf("%u elements in %u thread blocks: sum %u, copy %.4f ms, kernel %.4f ms\n", half.count, half.blocks, sum,
              copy_time, kernel_time);
  return sum;
}

void release(const Half& half) {
  CHECK(cudaEventDestroy(half.begin));
  CHECK(cudaEventDestroy(half.copied));
  CHECK(cudaEventDestroy(half.reduced));
  CHECK(cudaStreamDestroy(half.stream));
  CHECK(cudaFree(half.device_values));
  CHECK(cudaFree(half.device_block_sums));
  CHECK(cudaFreeHost(half.block_sums));
}

int main(int argument_count, char** arguments) {
  const unsigned count = size_argument(argument_count, arguments, 200000);
  unsigned* values = nullptr;
  CHECK(cudaMallocHost(&values, count * sizeof(unsigned)));
  std::mt19937 random(1);
  std::generate(values, values + count, [&] { return static_cast<unsigned>(random() % 1000); });

  const Half first = prepare(values, count / 2);
  const Half second = prepare(values + count / 2, count - count / 2);
  start(first);
  start(second);
  const unsigned sum = finish(first) + finish(second);

  float both = 0;
  CHECK(cudaEventElapsedTime(&both, first.begin, second.reduced));
  const unsigned expected = std::accumulate(values, values + count, 0u);
  std::printf("both: sum %u, expected %u, %.4f ms from the first copy to the last kernel\n", sum, expected, both);
  release(first);
  release(second);
  CHECK(cudaFreeHost(values));
  return verdict(sum == expected && both >= 0);
}
