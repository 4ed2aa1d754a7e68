// SPDX-License-Identifier: Apache-2.0
// The time of the host that calls of the CUDA runtime take:
//   reconverge build benchmarks/cuda_calls.cu -o cuda_calls
//   reconverge exec --set machine=functional ./cuda_calls
// One JSON object.
#include <cuda_runtime.h>

#include <chrono>
#include <cstdio>
#include <vector>

__global__ void nothing() {}

template <typename Action>
double seconds_of(Action action) {
  const auto begin = std::chrono::steady_clock::now();
  action();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

int main() {
  constexpr int launches = 10000;
  std::vector<char> host(100'000'000, 1);
  char* device = nullptr;
  if (cudaMalloc(&device, host.size()) != cudaSuccess) return 1;
  const double in = seconds_of([&] { cudaMemcpy(device, host.data(), host.size(), cudaMemcpyHostToDevice); });
  const double out = seconds_of([&] { cudaMemcpy(host.data(), device, host.size(), cudaMemcpyDeviceToHost); });
  nothing<<<1, 32>>>();
  const double launched = seconds_of([&] {
    for (int i = 0; i < launches; ++i) nothing<<<1, 32>>>();
    cudaDeviceSynchronize();
  });
  std::printf("{\"seconds_100_mb_in\": %.3f, \"seconds_100_mb_out\": %.3f, \"microseconds_launch\": %.1f}\n", in, out,
              launched / launches * 1e6);
  return cudaGetLastError() == cudaSuccess ? 0 : 1;
}
