// SPDX-License-Identifier: Apache-2.0
// Memory in all forms: what is written comes back, and calls with wrong places are refused.
#include <cuda_runtime.h>

#include <cstdio>
#include <cstring>
#include <vector>

__constant__ int factors[4];
__device__ int total = 5;

__global__ void scale(int* data, int count, int stride) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) data[i * stride] = data[i * stride] * factors[i % 4] + total;
}

__global__ void lookup(cudaTextureObject_t texture, float* out, int width) {
  const int x = threadIdx.x;
  const int y = threadIdx.y;
  out[y * width + x] = tex2D<float>(texture, static_cast<float>(x), static_cast<float>(y));
}

int failures = 0;

void check(bool holds, const char* what) {
  if (!holds) ++failures;
  if (!holds) std::printf("wrong: %s\n", what);
}

void check_linear() {
  const int given[4] = {1, 2, 3, 4};
  check(cudaMemcpyToSymbol(factors, given, sizeof(given)) == cudaSuccess, "to symbol");
  int* device = nullptr;
  check(cudaMalloc(&device, 400) == cudaSuccess, "malloc");
  std::vector<int> host(100, 10);
  check(cudaMemcpy(device, host.data(), 400, cudaMemcpyHostToDevice) == cudaSuccess, "copy in");
  scale<<<4, 32>>>(device, 100, 1);
  check(cudaMemcpy(host.data(), device, 400, cudaMemcpyDefault) == cudaSuccess, "copy out");
  for (int i = 0; i < 100; ++i) check(host[i] == 10 * (i % 4 + 1) + 5, "result");
  check(cudaMemcpy(host.data(), device, 404, cudaMemcpyDeviceToHost) == cudaErrorInvalidValue, "too much");
  check(cudaMemcpy(device + 99, host.data(), 8, cudaMemcpyHostToDevice) == cudaErrorInvalidValue, "past the end");
  check(cudaMemcpy(host.data(), host.data(), 4, cudaMemcpyHostToDevice) == cudaErrorInvalidValue, "no device place");
  check(cudaMemcpy(host.data(), device, 4, static_cast<cudaMemcpyKind>(9)) == cudaErrorInvalidMemcpyDirection, "kind");
  check(cudaFree(device + 1) == cudaErrorInvalidValue, "free inside");
  check(cudaFree(device) == cudaSuccess && cudaFree(device) == cudaErrorInvalidValue, "free twice");
  check(cudaFree(nullptr) == cudaSuccess, "free null");
  const int seven = 7;
  int back = 0;
  check(cudaMemcpyToSymbol(total, &seven, 4) == cudaSuccess, "to variable");
  check(cudaMemcpyFromSymbol(&back, total, 4) == cudaSuccess && back == 7, "from variable");
  check(cudaMemcpyFromSymbol(&back, total, 4, 4) == cudaErrorInvalidValue, "beyond a variable");
  void* address = nullptr;
  size_t bytes = 0;
  check(cudaGetSymbolAddress(&address, factors) == cudaSuccess && cudaGetSymbolSize(&bytes, factors) == cudaSuccess &&
            bytes == 16,
        "symbol");
  check(cudaMemcpy(&back, static_cast<int*>(address) + 2, 4, cudaMemcpyDeviceToHost) == cudaSuccess && back == 3,
        "by address");
}

void check_managed() {
  int* data = nullptr;
  check(cudaMallocManaged(&data, 1 << 20) == cudaSuccess, "managed");
  for (int i = 0; i < 1000; ++i) data[i] = i;
  scale<<<8, 128>>>(data, 1000, 1);
  check(cudaDeviceSynchronize() == cudaSuccess, "synchronize");
  for (int i = 0; i < 1000; ++i) check(data[i] == i * (i % 4 + 1) + 7, "managed result");
  cudaPointerAttributes attributes;
  check(cudaPointerGetAttributes(&attributes, data) == cudaSuccess && attributes.type == cudaMemoryTypeManaged,
        "managed attributes");
  check(cudaMemPrefetchAsync(data, 4096, 0) == cudaSuccess, "prefetch");
  check(cudaFree(data) == cudaSuccess, "free managed");
  int* pinned = nullptr;
  check(cudaHostAlloc(&pinned, 4096, cudaHostAllocMapped) == cudaSuccess, "pinned");
  for (int i = 0; i < 100; ++i) pinned[i] = i;
  int* mapped = nullptr;
  check(cudaHostGetDevicePointer(&mapped, pinned, 0) == cudaSuccess, "mapped");
  scale<<<1, 128>>>(mapped, 100, 1);
  cudaDeviceSynchronize();
  for (int i = 0; i < 100; ++i) check(pinned[i] == i * (i % 4 + 1) + 7, "mapped result");
  check(cudaFree(pinned) == cudaErrorInvalidValue && cudaFreeHost(pinned) == cudaSuccess, "free pinned");
}

void check_rows() {
  float* plane = nullptr;
  size_t pitch = 0;
  check(cudaMallocPitch(&plane, &pitch, 100, 10) == cudaSuccess && pitch >= 100, "pitch");
  std::vector<char> host(10 * 100);
  for (size_t i = 0; i < host.size(); ++i) host[i] = static_cast<char>(i * 7);
  check(cudaMemcpy2D(plane, pitch, host.data(), 100, 100, 10, cudaMemcpyHostToDevice) == cudaSuccess, "rows in");
  std::vector<char> back(host.size());
  check(cudaMemcpy2D(back.data(), 100, plane, pitch, 100, 10, cudaMemcpyDeviceToHost) == cudaSuccess && back == host,
        "rows out");
  check(cudaMemcpy2D(back.data(), 99, plane, pitch, 100, 10, cudaMemcpyDeviceToHost) == cudaErrorInvalidPitchValue,
        "narrow rows");
  check(cudaMemset2D(plane, pitch, 3, 50, 10) == cudaSuccess, "set rows");
  cudaMemcpy2D(back.data(), 100, plane, pitch, 100, 10, cudaMemcpyDeviceToHost);
  for (size_t i = 0; i < host.size(); ++i) check(back[i] == (i % 100 < 50 ? 3 : host[i]), "rows set");
  check(cudaFree(plane) == cudaSuccess, "free rows");

  const cudaExtent extent = make_cudaExtent(8 * sizeof(int), 4, 3);
  cudaPitchedPtr box;
  check(cudaMalloc3D(&box, extent) == cudaSuccess, "3D");
  std::vector<int> values(8 * 4 * 3);
  for (size_t i = 0; i < values.size(); ++i) values[i] = static_cast<int>(i);
  cudaMemcpy3DParms copy = {};
  copy.srcPtr = make_cudaPitchedPtr(values.data(), 8 * sizeof(int), 8, 4);
  copy.dstPtr = box;
  copy.extent = extent;
  copy.kind = cudaMemcpyHostToDevice;
  check(cudaMemcpy3D(&copy) == cudaSuccess, "box in");
  std::vector<int> result(values.size());
  copy.srcPtr = box;
  copy.dstPtr = make_cudaPitchedPtr(result.data(), 8 * sizeof(int), 8, 4);
  copy.kind = cudaMemcpyDeviceToHost;
  check(cudaMemcpy3D(&copy) == cudaSuccess && result == values, "box out");
}

void check_textures() {
  const cudaChannelFormatDesc channel = cudaCreateChannelDesc<float>();
  cudaArray_t array = nullptr;
  check(cudaMallocArray(&array, &channel, 8, 4) == cudaSuccess, "array");
  std::vector<float> values(32);
  for (int i = 0; i < 32; ++i) values[i] = static_cast<float>(i) * 0.5F;
  check(cudaMemcpy2DToArray(array, 0, 0, values.data(), 32, 32, 4, cudaMemcpyHostToDevice) == cudaSuccess, "to array");
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = array;
  cudaTextureDesc description = {};
  description.addressMode[0] = description.addressMode[1] = cudaAddressModeClamp;
  description.readMode = cudaReadModeElementType;
  cudaTextureObject_t texture = 0;
  check(cudaCreateTextureObject(&texture, &resource, &description, nullptr) == cudaSuccess, "texture");
  float* out = nullptr;
  cudaMalloc(&out, 10 * 5 * sizeof(float));
  lookup<<<1, dim3(10, 5)>>>(texture, out, 10);
  std::vector<float> got(50);
  check(cudaMemcpy(got.data(), out, 200, cudaMemcpyDeviceToHost) == cudaSuccess, "texels");
  for (int y = 0; y < 5; ++y) {
    for (int x = 0; x < 10; ++x) check(got[y * 10 + x] == values[(y < 4 ? y : 3) * 8 + (x < 8 ? x : 7)], "texel");
  }
  check(cudaDestroyTextureObject(texture) == cudaSuccess && cudaFreeArray(array) == cudaSuccess, "free texture");
}

int main() {
  check_linear();
  check_managed();
  check_rows();
  check_textures();
  size_t free_bytes = 0;
  size_t all_bytes = 0;
  check(cudaMemGetInfo(&free_bytes, &all_bytes) == cudaSuccess && free_bytes <= all_bytes, "memory information");
  void* too_much = nullptr;
  check(cudaMalloc(&too_much, all_bytes + 1) == cudaErrorMemoryAllocation, "too much memory");
  cudaGetLastError();
  check(cudaDeviceReset() == cudaSuccess, "reset");
  int back = 0;
  check(cudaMemcpyFromSymbol(&back, total, 4) == cudaSuccess && back == 5, "initial value after a reset");
  std::printf("%s\n", failures == 0 ? "PASSED" : "FAILED");
  return failures == 0 ? 0 : 1;
}
