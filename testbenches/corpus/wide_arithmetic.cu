/* Integers of 64 and 128 bits: a generator, carries, products, quotients, shifts. */
#include "testbenches/corpus/device.h"

namespace reconverge::corpus {

namespace {
using Word = unsigned long long;
__extension__ typedef unsigned __int128 DoubleWord;  // NOLINT(modernize-use-using): __extension__ takes no using

struct Wide {
  Word low, high;
};

__device__ Wide add(Wide a, Wide b) {
  const Word low = a.low + b.low;
  return {low, a.high + b.high + (low < a.low ? 1 : 0)};
}

__device__ Wide subtract(Wide a, Wide b) { return {a.low - b.low, a.high - b.high - (a.low < b.low ? 1 : 0)}; }

__device__ Wide product(Word a, Word b) {
  const DoubleWord both = static_cast<DoubleWord>(a) * b;
  return {static_cast<Word>(both), static_cast<Word>(both >> 64)};
}
}  // namespace

extern "C" __global__ void wide_arithmetic(Input input, unsigned* output, unsigned* sums) {
  const unsigned n = thread_number();
  Word state = static_cast<Word>(input[n]) << 32 | input[n + 1];
  Wide sum{0, 0};
  long long mixed = 0;
  for (unsigned round = 0; round < 16; ++round) {
    state = state * 6364136223846793005ULL + 1442695040888963407ULL;
    const Word next = state ^ state >> 29;
    sum = add(sum, product(state, next));
    if ((round & 3U) == 3) sum = subtract(sum, {next, state});
    const auto divisor = static_cast<long long>(next >> (round + 8)) | 1;
    mixed += static_cast<long long>(state) / divisor;
    mixed ^= static_cast<long long>(state) % divisor;
    mixed = mixed << (state >> 60) ^ mixed >> (next >> 60);
  }
  output[8 * n] = static_cast<unsigned>(sum.low);
  output[8 * n + 1] = static_cast<unsigned>(sum.low >> 32);
  output[8 * n + 2] = static_cast<unsigned>(sum.high);
  output[8 * n + 3] = static_cast<unsigned>(sum.high >> 32);
  output[8 * n + 4] = static_cast<unsigned>(mixed);
  output[8 * n + 5] = static_cast<unsigned>(mixed >> 32);
  output[8 * n + 6] = static_cast<unsigned>(state / 1000000007U);
  output[8 * n + 7] = static_cast<unsigned>(state % 1000000007U);
  atomic_add(reinterpret_cast<unsigned long long*>(sums), state);
}

}  // namespace reconverge::corpus
// SPDX-License-Identifier: Apache-2.0
