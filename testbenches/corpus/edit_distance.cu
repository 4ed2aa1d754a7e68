/* The Levenshtein distance of two byte strings, by rows in each thread's memory. */
#include "testbenches/corpus/device.h"

namespace reconverge::corpus {

extern "C" __global__ void edit_distance(Input input, unsigned* output, unsigned* sums) {
  const unsigned n = thread_number();
  const auto* bytes = reinterpret_cast<const unsigned char*>(input + n);
  const unsigned rows = 4 + n % 6;
  const unsigned columns = 10;
  unsigned char row[columns + 1];
  for (unsigned j = 0; j <= columns; ++j) row[j] = static_cast<unsigned char>(j);
  for (unsigned i = 1; i <= rows; ++i) {
    unsigned diagonal = row[0];
    row[0] = static_cast<unsigned char>(i);
    for (unsigned j = 1; j <= columns; ++j) {
      const unsigned above = row[j];
      unsigned best = diagonal + (bytes[i] % 4 == bytes[32 + j] % 4 ? 0 : 1);
      if (above + 1 < best) best = above + 1;
      if (row[j - 1] + 1U < best) best = row[j - 1] + 1U;
      row[j] = static_cast<unsigned char>(best);
      diagonal = above;
    }
  }
  output[n] = row[columns];
  atomic_add(&sums[row[columns]], 1);
}

}  // namespace reconverge::corpus
// SPDX-License-Identifier: Apache-2.0
