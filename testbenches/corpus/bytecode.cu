/* An interpreter of a byte code: one switch with many cases in a loop. */
#include "testbenches/corpus/device.h"

namespace reconverge::corpus {

namespace {
__device__ unsigned run(const unsigned char* code, unsigned length, unsigned seed) {
  unsigned stack[16] = {};
  unsigned top = 0;
  unsigned a = seed;
  unsigned steps = 0;
  for (unsigned at = 0; at < length && steps < 96; ++at, ++steps) {
    switch (code[at] % 24) {
      case 0:
        a += 1;
        break;
      case 1:
        a -= 3;
        break;
      case 2:
        a *= 5;
        break;
      case 3:
        a /= 3;
        break;
      case 4:
        a %= 65537;
        break;
      case 5:
        a = ~a;
        break;
      case 6:
        a = a << 3 | a >> 29;
        break;
      case 7:
        a ^= a >> 7;
        break;
      case 8:
        a ^= a << 9;
        break;
      case 9:
        stack[top++ % 16] = a;
        break;
      case 10:
        a ^= stack[top == 0 ? 0 : --top % 16];
        break;
      case 11:
        if ((a & 1U) != 0) ++at;
        break;
      case 12:
        if ((a & 6U) == 0 && at > 5) at -= 5;
        break;
      case 13:
        a = population(a) * 77;
        break;
      case 14:
        a = leading_zeros(a) + 1000;
        break;
      case 15:
        a = a > 1000 ? a - 1000 : a + 1000;
        break;
      case 16:
        a = reverse_bits(a);
        break;
      case 17:
        a += code[(at + 1) % length];
        [[fallthrough]];
      case 18:
        a += seed;
        break;
      case 19:
        a = static_cast<unsigned>(static_cast<int>(a) >> 4);
        break;
      case 20:
        return a;
      case 21:
        continue;
      case 22:
        a = a * a;
        break;
      default:
        a += at;
        break;
    }
  }
  return a + steps + top;
}
}  // namespace

extern "C" __global__ void bytecode(Input input, unsigned* output, unsigned* sums) {
  const unsigned n = thread_number();
  const unsigned result = run(reinterpret_cast<const unsigned char*>(input + n), 64 + n % 16, input[n + 200]);
  output[n] = result;
  atomic_add(&sums[result % 256], 1);
}

}  // namespace reconverge::corpus
// SPDX-License-Identifier: Apache-2.0
