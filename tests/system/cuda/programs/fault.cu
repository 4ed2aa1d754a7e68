// SPDX-License-Identifier: Apache-2.0
// A kernel that fails as its argument says, and what the runtime tells the host of it.
#include <cuda_runtime.h>

#include <cassert>
#include <cstdio>
#include <cstdlib>
#include <cstring>

__global__ void fail(int* data, char how) {
  if (how == 'a') data[1 << 20] = 1;
  if (how == 'm') *reinterpret_cast<int*>(reinterpret_cast<char*>(data) + 2) = 1;
  if (how == 't') __trap();
  if (how == 's' && threadIdx.x == 0) {
    while (*static_cast<volatile int*>(data) == 0) {
    }
  }
  assert(how != 'x');
}

void show(const char* what, cudaError_t code) { std::printf("%s: %s\n", what, cudaGetErrorName(code)); }

int main(int argc, char** argv) {
  const char how = argc > 1 ? argv[1][0] : 'n';
  int* data = nullptr;
  cudaMalloc(&data, 4096);
  cudaMemset(data, 0, 4096);
  if (how == 'c') {
    fail<<<1, 2000>>>(data, how);
    show("launch", cudaGetLastError());
    show("once", cudaGetLastError());
    fail<<<1, 32>>>(data, 'n');
    show("next", cudaDeviceSynchronize());
    return 0;
  }
  fail<<<1, 32>>>(data, how);
  show("launch", cudaGetLastError());
  show("synchronize", cudaDeviceSynchronize());
  show("last", cudaGetLastError());
  show("free", cudaFree(data));
  if (how == 'e') std::exit(7);
  if (how == 'b') std::abort();
  if (how == 'q') *static_cast<volatile int*>(nullptr) = 1;
  if (how == 'h') *static_cast<volatile int*>(data) = 1;  // memory that only the device reaches
  if (how == 'w') throw 1;
  return 0;
}
