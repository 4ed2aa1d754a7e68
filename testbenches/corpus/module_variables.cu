/* Variables of the module: initialised with numbers, strings, records and addresses of other variables. */
#include "testbenches/corpus/device.h"

namespace reconverge::corpus {

namespace {
struct Entry {
  const char* name;
  unsigned length;
  const unsigned* values;
  double scale;
};

__device__ unsigned numbers[8] = {11, 22, 33, 44, 55, 66, 77, 88};
/* As arrays: clang 14 does not accept an address with an offset for a single pointer. */
__device__ unsigned* places[2] = {&numbers[3], numbers};
__device__ unsigned* const* to_places = places;
__device__ unsigned char bytes[5] = {1, 2, 3};
__device__ double pi = 3.141592653589793;
__device__ short shorts[3] = {-1, 300, -300};
__device__ unsigned counter = 5;
__device__ const unsigned primes[6] = {2, 3, 5, 7, 11, 13};
__device__ const Entry entries[3] = {
    {"first", 5, &primes[1], 0.5}, {"second", 6, primes, -2.0}, {"3rd", 3, nullptr, 1e300}};
__device__ unsigned untouched[2];
__device__ unsigned written[128];
}  // namespace

extern "C" __global__ void module_variables(Input input, unsigned* output, unsigned* sums) {
  const unsigned n = thread_number();
  const Entry& entry = entries[input[n] % 3];
  unsigned text = 0;
  for (const char* c = entry.name; *c != 0; ++c) text = text * 31 + static_cast<unsigned char>(*c);
  unsigned* const out = output + 8 * n;
  out[0] = text;
  out[1] = entry.length + (entry.values == nullptr ? 0 : entry.values[2]);
  store_double(out + 2, entry.scale * pi);
  out[4] = places[0][input[n] % 4] + (*to_places)[-1] + static_cast<unsigned>(places[0] - places[1]);
  out[5] = bytes[n % 5] + static_cast<unsigned>(shorts[n % 3]);
  out[6] = untouched[n % 2];
  written[n] += input[n];
  atomic_add(&counter, n);
  synchronise();
  out[7] = written[n ^ 1U];
  if (thread_index().x == 0) atomic_add(&sums[0], numbers[7] + bytes[4]);
}

}  // namespace reconverge::corpus
// SPDX-License-Identifier: Apache-2.0
