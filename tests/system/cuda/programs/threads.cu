// SPDX-License-Identifier: Apache-2.0
// Eight threads of the host, each with a stream and memory, launch kernels at the same time.
#include <cuda_runtime.h>

#include <cstdio>
#include <thread>
#include <vector>

constexpr int count = 4096;
constexpr int rounds = 20;

__global__ void add(int* data) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) data[i] += i;
}

void work(int* wrong) {
  cudaStream_t stream = nullptr;
  int* data = nullptr;
  std::vector<int> host(count);
  cudaStreamCreate(&stream);
  cudaMalloc(&data, count * sizeof(int));
  cudaMemsetAsync(data, 0, count * sizeof(int), stream);
  for (int round = 0; round < rounds; ++round) add<<<count / 256, 256, 0, stream>>>(data);
  cudaMemcpyAsync(host.data(), data, count * sizeof(int), cudaMemcpyDeviceToHost, stream);
  if (cudaStreamSynchronize(stream) != cudaSuccess) ++*wrong;
  // Errors belong to threads.
  if (cudaFree(host.data()) != cudaErrorInvalidValue || cudaGetLastError() != cudaErrorInvalidValue) ++*wrong;
  for (int i = 0; i < count; ++i) *wrong += host[i] != rounds * i ? 1 : 0;
}

int main() {
  std::vector<std::thread> threads;
  std::vector<int> wrong(8, 0);
  for (int& of_thread : wrong) threads.emplace_back(work, &of_thread);
  for (std::thread& thread : threads) thread.join();
  int all = cudaGetLastError() == cudaSuccess ? 0 : 1;
  for (const int of_thread : wrong) all += of_thread;
  std::printf("%s\n", all == 0 ? "PASSED" : "FAILED");
  return all == 0 ? 0 : 1;
}
