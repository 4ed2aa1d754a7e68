// SPDX-License-Identifier: Apache-2.0
// Streams, events and host functions: order, simulated time, and handles that are gone.
#include <cuda_runtime.h>

#include <cstdio>

__global__ void spin(int* data, int rounds) {
  volatile int* const mine = data + threadIdx.x;
  for (int i = 0; i < rounds; ++i) *mine += i;
}

int failures = 0;

void check(bool holds, const char* what) {
  if (!holds) ++failures;
  if (!holds) std::printf("wrong: %s\n", what);
}

void add_one(void* counter) { ++*static_cast<int*>(counter); }

float measure(int* data, int rounds) {
  cudaEvent_t begin = nullptr;
  cudaEvent_t end = nullptr;
  check(cudaEventCreate(&begin) == cudaSuccess && cudaEventCreate(&end) == cudaSuccess, "create events");
  float milliseconds = -1;
  check(cudaEventElapsedTime(&milliseconds, begin, end) == cudaErrorInvalidResourceHandle, "not recorded");
  cudaEventRecord(begin);
  spin<<<1, 32>>>(data, rounds);
  cudaEventRecord(end);
  check(cudaEventSynchronize(end) == cudaSuccess && cudaEventQuery(end) == cudaSuccess, "synchronize");
  check(cudaEventElapsedTime(&milliseconds, begin, end) == cudaSuccess, "elapsed");
  check(cudaEventDestroy(begin) == cudaSuccess && cudaEventDestroy(end) == cudaSuccess, "destroy events");
  check(cudaEventDestroy(end) == cudaErrorInvalidResourceHandle, "destroy twice");
  return milliseconds;
}

int main() {
  int* data = nullptr;
  cudaMalloc(&data, 4096);
  cudaMemset(data, 0, 4096);
  const float little = measure(data, 100);
  const float much = measure(data, 1000);
  std::printf("simulated: %g ms and %g ms\n", little, much);
  check(much >= 5 * little, "time grows with work");

  cudaStream_t stream = nullptr;
  check(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking) == cudaSuccess, "create");
  spin<<<1, 32, 0, stream>>>(data, 10);
  int calls = 0;
  check(cudaLaunchHostFunc(stream, add_one, &calls) == cudaSuccess, "host function");
  check(cudaStreamQuery(stream) == cudaSuccess && cudaStreamSynchronize(stream) == cudaSuccess && calls == 1, "called");
  check(cudaStreamDestroy(stream) == cudaSuccess, "destroy");
  check(cudaStreamSynchronize(stream) == cudaErrorInvalidResourceHandle, "gone");

  // A megabyte takes the time that the link of the platform needs.
  static char host[1 << 20];
  char* copy = nullptr;
  cudaMalloc(&copy, sizeof(host));
  cudaEvent_t begin = nullptr;
  cudaEvent_t end = nullptr;
  cudaEventCreate(&begin);
  cudaEventCreate(&end);
  cudaEventRecord(begin);
  cudaMemcpyAsync(copy, host, sizeof(host), cudaMemcpyHostToDevice);
  cudaEventRecord(end);
  float milliseconds = 0;
  cudaEventElapsedTime(&milliseconds, begin, end);
  std::printf("copy: %.6f ms\n", milliseconds);
  std::printf("%s\n", failures == 0 ? "PASSED" : "FAILED");
  return failures == 0 ? 0 : 1;
}
