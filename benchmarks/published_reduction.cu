// SPDX-License-Identifier: Apache-2.0
// The program "reduction V N" of benchmarks/published_kernels.txt: it sums 2^N words of 32 bits with kernel reductionV.
// The kernels are those of reduction_kernels.cuh in Performance-Tests-NvBench/reduction of
// https://github.com/R100001/Programming-Massively-Parallel-Processors. scripts/published-programs builds it.
#include <cuda_runtime.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <utility>
#include <vector>

#include "reduction_kernels.cuh"

namespace {

using Word = std::uint32_t;
using Kernel = void (*)(Word*, std::uint32_t, Word*);

constexpr std::uint32_t block_size = 512;
constexpr Kernel kernels[] = {reduction1<Word>, reduction2<Word>, reduction3<Word>, reduction4<Word>,
                              reduction5<Word>, reduction6<Word>, reduction7<Word>};
constexpr int kernel_count = sizeof(kernels) / sizeof(kernels[0]);
// From this kernel on, a thread first adds two words.
constexpr int first_of_two_words = 4;
// This kernel lacks a barrier, so its sum may be wrong.
constexpr int racing = 5;

}  // namespace

int main(int argc, char** argv) {
  const int version = argc == 3 ? std::atoi(argv[1]) : 0;
  const int log_count = argc == 3 ? std::atoi(argv[2]) : 0;
  if (version < 1 || version > kernel_count || log_count < 1 || log_count > 30) {
    std::fprintf(stderr, "usage: reduction V N: V is 1 to %d, N is 1 to 30\n", kernel_count);
    return 2;
  }
  const std::uint32_t count = 1U << log_count;
  std::vector<Word> words(count);
  Word expected = 0;
  for (std::uint32_t i = 0; i < count; ++i) {
    words[i] = i % 7;
    expected += words[i];
  }

  Word* in = nullptr;
  Word* out = nullptr;
  const std::size_t bytes = count * sizeof(Word);
  if (cudaMalloc(&in, bytes) != cudaSuccess || cudaMalloc(&out, bytes) != cudaSuccess) return 1;
  if (cudaMemcpy(in, words.data(), bytes, cudaMemcpyHostToDevice) != cudaSuccess) return 1;

  const std::uint32_t words_of_block = version < first_of_two_words ? block_size : 2 * block_size;
  std::uint32_t left = count;
  do {
    const std::uint32_t blocks = (left + words_of_block - 1) / words_of_block;
    kernels[version - 1]<<<blocks, block_size, block_size * sizeof(Word)>>>(in, left, out);
    std::swap(in, out);
    left = blocks;
  } while (left > 1);

  Word sum = 0;
  if (cudaMemcpy(&sum, in, sizeof(sum), cudaMemcpyDeviceToHost) != cudaSuccess) return 1;
  const bool right = sum == expected;
  const char* verdict = "FAILED";
  if (right) verdict = "PASSED";
  if (!right && version == racing) verdict = "wrong, which this kernel may be";
  std::printf("reduction%d: sum %u, expected %u: %s\n", version, sum, expected, verdict);
  cudaFree(in);
  cudaFree(out);
  return right || version == racing ? 0 : 1;
}
