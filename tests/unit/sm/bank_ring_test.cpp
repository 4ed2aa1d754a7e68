// SPDX-License-Identifier: Apache-2.0
#include "models/sm/bank_ring.hpp"

#include <catch2/catch.hpp>
#include <initializer_list>
#include <map>
#include <random>
#include <utility>

namespace reconverge::tests {
namespace {

RowList rows_of(std::initializer_list<unsigned> numbers) {
  RowList rows;
  for (const unsigned number : numbers) rows.push(number);
  return rows;
}

/// Reference: the busy banks of each step, row by row and without a horizon.
struct Reference {
  unsigned banks = 1;
  std::map<std::pair<unsigned, Cycle>, bool> busy;

  Cycle reserve(std::uint32_t slot, const RowList& rows, Cycle from) {
    Cycle last = from;
    for (const std::uint16_t row : rows) {
      Cycle step = from;
      while (busy[{(row + slot) % banks, step}]) ++step;
      busy[{(row + slot) % banks, step}] = true;
      last = std::max(last, step);
    }
    return last;
  }
};

}  // namespace

TEST_CASE("register banks: rows in different banks are read in the same step") {
  BankRing ring(8);
  ring.begin();
  CHECK(ring.reserve(0, rows_of({0, 1, 2}), 0, 5) == 5);
  CHECK(ring.reserve(0, rows_of({3, 4}), 0, 5) == 5);
  CHECK(ring.reserve(0, rows_of({}), 0, 5) == 5);
}

TEST_CASE("register banks: rows of one bank are read in consecutive steps") {
  BankRing ring(8);
  ring.begin();
  CHECK(ring.reserve(0, rows_of({0, 8, 16}), 0, 5) == 7);
  CHECK(ring.reserve(0, rows_of({8}), 0, 5) == 8);
  // The slot shifts the banks.
  CHECK(ring.reserve(1, rows_of({7}), 0, 5) == 9);
  CHECK(ring.reserve(1, rows_of({8}), 0, 5) == 5);
}

TEST_CASE("register banks: a row waits for its busy bank only") {
  BankRing ring(4);
  ring.begin();
  CHECK(ring.bank_of(3, 2) == 1);
  CHECK(ring.take(1, 5));
  CHECK_FALSE(ring.take(1, 5));
  CHECK(ring.reserve(0, rows_of({0, 1, 2}), 0, 5) == 6);
  CHECK(ring.reserve(3U, 0, 5) == 5);
  CHECK(ring.reserve(0U, 0, 5) == 6);
}

TEST_CASE("register banks match a search row by row over long times") {
  const unsigned banks = GENERATE(1U, 2U, 3U, 8U, 12U, 16U, 32U, 64U);
  BankRing ring(banks);
  ring.begin();
  Reference reference{banks, {}};
  std::mt19937 random(banks);
  Cycle now = 0;
  bool equal = true;
  for (int step = 0; step < 20000; ++step) {
    // Slower with few banks, so that reservations stay within the horizon.
    now += random() % (64 / banks + 2);
    RowList rows;
    for (unsigned i = random() % 5; i != 0; --i) rows.push(random() % 200);
    const std::uint32_t slot = random() % 64;
    const Cycle from = now + random() % 90;
    equal = equal && ring.reserve(slot, rows, now, from) == reference.reserve(slot, rows, from);
  }
  CHECK(equal);
}

TEST_CASE("register banks: a step beyond the horizon is free and is not recorded") {
  BankRing ring(8);
  ring.begin();
  const RowList rows = rows_of({0, 8});
  CHECK(ring.reserve(0, rows, 0, BankRing::horizon) == BankRing::horizon);
  CHECK(ring.reserve(0, rows, 1, BankRing::horizon) == BankRing::horizon + 1);
  CHECK(ring.reserve(0U, 1, BankRing::horizon) == BankRing::horizon + 2);
}

}  // namespace reconverge::tests
