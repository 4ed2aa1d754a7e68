// SPDX-License-Identifier: Apache-2.0
#include "models/schemes/subwarp_interleaving/thread_counters.hpp"

#include <catch2/catch.hpp>

namespace reconverge::tests {

TEST_CASE("A lane has pending results until the last of them is written") {
  ThreadCounters counters;
  CHECK(counters.pending(2) == 0);
  counters.issue(2, 0b0110);
  counters.issue(2, 0b0010);
  CHECK(counters.pending(2) == 0b0110);
  CHECK(counters.pending(1) == 0);
  counters.write_back(2, 0b0110);
  CHECK(counters.pending(2) == 0b0010);
  counters.write_back(2, 0b0010);
  CHECK(counters.pending(2) == 0);
}

TEST_CASE("A subwarp waits for the largest count of its lanes") {
  ThreadCounters counters;
  counters.issue(0, 0b0111);
  counters.issue(0, 0b0100);
  CHECK(counters.most(0, 0b0011) == 1);
  CHECK(counters.most(0, 0b1111) == 2);
  CHECK(counters.most(0, 0b1000) == 0);
  counters.clear();
  CHECK(counters.most(0, 0b1111) == 0);
  CHECK(counters.pending(0) == 0);
}

}  // namespace reconverge::tests
