/* CRC-32 by a table that the block computes, CRC-32 bit by bit, and Adler-32. */
#include "testbenches/corpus/device.h"

namespace reconverge::corpus {

namespace {
__device__ unsigned crc_by_bits(unsigned crc, unsigned char byte) {
  crc ^= byte;
  for (int bit = 0; bit < 8; ++bit) crc = crc >> 1 ^ (0xedb88320U & (0U - (crc & 1U)));
  return crc;
}
}  // namespace

extern "C" __global__ void checksum(Input input, unsigned* output, unsigned* sums) {
  __shared__ unsigned table[256];
  for (unsigned i = thread_index().x; i < 256; i += block_size().x) {
    table[i] = crc_by_bits(0, static_cast<unsigned char>(i));
  }
  synchronise();
  const unsigned n = thread_number();
  const auto* bytes = reinterpret_cast<const unsigned char*>(input + n);
  const unsigned length = 16 + n % 48;
  unsigned by_table = ~0U;
  unsigned by_bits = ~0U;
  unsigned low = 1;
  unsigned high = 0;
  for (unsigned i = 0; i < length; ++i) {
    by_table = by_table >> 8 ^ table[(by_table ^ bytes[i]) & 0xffU];
    if (i < 12) by_bits = crc_by_bits(by_bits, bytes[i]);
    low = (low + bytes[i]) % 65521;
    high = (high + low) % 65521;
  }
  output[3 * n] = ~by_table;
  output[3 * n + 1] = ~by_bits;
  output[3 * n + 2] = high << 16 | low;
  atomic_xor(&sums[length], ~by_table);
}

}  // namespace reconverge::corpus
// SPDX-License-Identifier: Apache-2.0
