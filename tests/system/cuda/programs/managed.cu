// SPDX-License-Identifier: Apache-2.0
// Variables that host and device share: initial values, both directions, addresses, symbols, and a reset.
#include <cuda_runtime.h>

#include <cstdio>

__managed__ int counter = 5;
__device__ __managed__ float table[3000];
static __managed__ const int* link_of_device = nullptr;

__global__ void work(int* given) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < 3000) table[i] += static_cast<float>(i);
  atomicAdd(given, 1);
  if (i == 0) {
    link_of_device = given;
    atomicAdd(&counter, 1000);
  }
}

static int failures = 0;

static void check(bool holds, const char* what) {
  if (holds) return;
  std::printf("wrong: %s\n", what);
  ++failures;
}

int main() {
  check(counter == 5 && table[2999] == 0 && link_of_device == nullptr, "initial values");
  counter = 7;
  table[10] = 0.5F;
  work<<<30, 128>>>(&counter);
  check(cudaDeviceSynchronize() == cudaSuccess, "kernel");
  check(counter == 7 + 30 * 128 + 1000, "counter");
  check(table[10] == 10.5F && table[2999] == 2999, "table");
  check(link_of_device == &counter, "address on the device");
  int* place = nullptr;
  check(cudaGetSymbolAddress(reinterpret_cast<void**>(&place), counter) == cudaSuccess && place == &counter, "symbol");
  const int three = 3;
  check(cudaMemcpyToSymbol(counter, &three, sizeof three) == cudaSuccess && counter == 3, "copy to the symbol");
  cudaPointerAttributes attributes{};
  check(cudaPointerGetAttributes(&attributes, table) == cudaSuccess && attributes.type == cudaMemoryTypeManaged &&
            attributes.devicePointer == table && attributes.hostPointer == table,
        "attributes");
  check(cudaMemset(table, 0, sizeof table) == cudaSuccess && table[2999] == 0, "memset");
#if CUDART_VERSION < 13000
  check(cudaMemPrefetchAsync(table, sizeof table, 0, nullptr) == cudaSuccess, "prefetch");
#endif
  check(cudaDeviceReset() == cudaSuccess && counter == 5, "reset");
  std::printf("%s\n", failures == 0 ? "PASSED" : "FAILED");
  return failures == 0 ? 0 : 1;
}
