// SPDX-License-Identifier: Apache-2.0
// Adds two vectors. Usage: vector_sum [elements]
#include <vector>

#include "check.h"

// A grid-stride loop: any grid is large enough for any vector, and the threads of a warp read neighbouring elements.
__global__ void add(const float* a, const float* b, float* sum, unsigned count) {
  const unsigned stride = gridDim.x * blockDim.x;
  for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += stride) sum[i] = a[i] + b[i];
}

float* copy_to_device(const std::vector<float>& values) {
  float* device = nullptr;
  CHECK(cudaMalloc(&device, values.size() * sizeof(float)));
  CHECK(cudaMemcpy(device, values.data(), values.size() * sizeof(float), cudaMemcpyHostToDevice));
  return device;
}

std::vector<float> add_on_device(const std::vector<float>& a, const std::vector<float>& b) {
  const unsigned count = static_cast<unsigned>(a.size());
  float* const device_a = copy_to_device(a);
  float* const device_b = copy_to_device(b);
  float* device_sum = nullptr;
  CHECK(cudaMalloc(&device_sum, count * sizeof(float)));

  add<<<32, 128>>>(device_a, device_b, device_sum, count);
  CHECK(cudaGetLastError());

  std::vector<float> sum(count);
  CHECK(cudaMemcpy(sum.data(), device_sum, count * sizeof(float), cudaMemcpyDeviceToHost));
  CHECK(cudaFree(device_a));
  CHECK(cudaFree(device_b));
  CHECK(cudaFree(device_sum));
  return sum;
}

int main(int argument_count, char** arguments) {
  const unsigned count = size_argument(argument_count, arguments, 1 << 17);
  std::vector<float> a(count);
  std::vector<float> b(count);
  for (unsigned i = 0; i < count; ++i) {
    a[i] = 0.5f * static_cast<float>(i);
    b[i] = 3.25f - static_cast<float>(i % 1000);
  }

  const std::vector<float> sum = add_on_device(a, b);

  // One addition rounds in the same way on the host, so the sums are equal to the bit.
  unsigned wrong = 0;
  for (unsigned i = 0; i < count; ++i) wrong += sum[i] == a[i] + b[i] ? 0 : 1;
  std::printf("%u elements, the last sum is %g, wrong: %u\n", count, sum.back(), wrong);
  return verdict(wrong == 0);
}
