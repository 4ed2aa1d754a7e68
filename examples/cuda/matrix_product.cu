// SPDX-License-Identifier: Apache-2.0
// Multiplies matrices by tiles in shared memory. Usage: matrix_product [rows]
#include <vector>

#include "check.h"

// A is rows x inner, B is inner x columns, and the product is rows x columns; all are stored row by row.
struct Shape {
  unsigned rows, inner, columns;
};

// Each thread block computes one tile of the product. Elements outside the matrices count as zero, so that no size has
// to be a multiple of the tile, and all threads of a block reach every barrier.
template <unsigned tile>
__global__ void multiply(const float* a, const float* b, float* product, Shape shape) {
  __shared__ float tile_of_a[tile][tile];
  __shared__ float tile_of_b[tile][tile];
  const unsigned x = threadIdx.x;
  const unsigned y = threadIdx.y;
  const unsigned column = blockIdx.x * tile + x;
  const unsigned row = blockIdx.y * tile + y;

  float sum = 0;
  for (unsigned begin = 0; begin < shape.inner; begin += tile) {
    const bool in_a = row < shape.rows && begin + x < shape.inner;
    const bool in_b = begin + y < shape.inner && column < shape.columns;
    tile_of_a[y][x] = in_a ? a[row * shape.inner + begin + x] : 0;
    tile_of_b[y][x] = in_b ? b[(begin + y) * shape.columns + column] : 0;
    __syncthreads();
#pragma unroll
    for (unsigned k = 0; k < tile; ++k) sum += tile_of_a[y][k] * tile_of_b[k][x];
    __syncthreads();
  }
  if (row < shape.rows && column < shape.columns) product[row * shape.columns + column] = sum;
}

// Small whole numbers: every sum is exact in a float, so the order of additions does not matter.
std::vector<float> small_numbers(unsigned count, unsigned factor) {
  std::vector<float> values(count);
  for (unsigned i = 0; i < count; ++i) values[i] = static_cast<float>(i * factor % 15) - 7;
  return values;
}

std::vector<float> multiply_on_host(const std::vector<float>& a, const std::vector<float>& b, Shape shape) {
  std::vector<float> product(shape.rows * shape.columns);
  for (unsigned row = 0; row < shape.rows; ++row)
    for (unsigned k = 0; k < shape.inner; ++k)
      for (unsigned column = 0; column < shape.columns; ++column)
        product[row * shape.columns + column] += a[row * shape.inner + k] * b[k * shape.columns + column];
  return product;
}

template <unsigned tile>
std::vector<float> multiply_on_device(const std::vector<float>& a, const std::vector<float>& b, Shape shape) {
  std::vector<float> product(shape.rows * shape.columns);
  float *device_a = nullptr, *device_b = nullptr, *device_product = nullptr;
  CHECK(cudaMalloc(&device_a, a.size() * sizeof(float)));
  CHECK(cudaMalloc(&device_b, b.size() * sizeof(float)));
  CHECK(cudaMalloc(&device_product, product.size() * sizeof(float)));
  CHECK(cudaMemcpy(device_a, a.data(), a.size() * sizeof(float), cudaMemcpyHostToDevice));
  CHECK(cudaMemcpy(device_b, b.data(), b.size() * sizeof(float), cudaMemcpyHostToDevice));

  const dim3 block(tile, tile);
  const dim3 grid((shape.columns + tile - 1) / tile, (shape.rows + tile - 1) / tile);
  multiply<tile><<<grid, block>>>(device_a, device_b, device_product, shape);
  CHECK(cudaGetLastError());

  CHECK(cudaMemcpy(product.data(), device_product, product.size() * sizeof(float), cudaMemcpyDeviceToHost));
  CHECK(cudaFree(device_a));
  CHECK(cudaFree(device_b));
  CHECK(cudaFree(device_product));
  return product;
}

bool report(const char* name, const std::vector<float>& product, const std::vector<float>& expected) {
  unsigned wrong = 0;
  for (std::size_t i = 0; i < expected.size(); ++i) wrong += product[i] == expected[i] ? 0 : 1;
  std::printf("%s: the last element is %g, wrong: %u\n", name, product.back(), wrong);
  return wrong == 0;
}

int main(int argument_count, char** arguments) {
  const unsigned rows = size_argument(argument_count, arguments, 61);
  const Shape shape = {rows, rows + 6, rows + 17};
  const std::vector<float> a = small_numbers(shape.rows * shape.inner, 7);
  const std::vector<float> b = small_numbers(shape.inner * shape.columns, 11);
  std::printf("%u x %u times %u x %u\n", shape.rows, shape.inner, shape.inner, shape.columns);

  const std::vector<float> expected = multiply_on_host(a, b, shape);
  const bool small_tiles = report("tiles of 8 x 8", multiply_on_device<8>(a, b, shape), expected);
  const bool large_tiles = report("tiles of 16 x 16", multiply_on_device<16>(a, b, shape), expected);
  return verdict(small_tiles && large_tiles);
}
