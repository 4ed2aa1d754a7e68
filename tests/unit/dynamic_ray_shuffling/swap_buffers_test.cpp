// SPDX-License-Identifier: Apache-2.0
#include "models/schemes/dynamic_ray_shuffling/swap_buffers.hpp"

#include <array>
#include <catch2/catch.hpp>
#include <deque>
#include <random>
#include <vector>

#include "tests/unit/dynamic_ray_shuffling/asker.hpp"

using namespace reconverge;
using namespace reconverge::tests;

namespace {

const RaySwap move{3, 4, 0b0110, 0b1001, false};
const RaySwap exchange{3, 4, 0b0110, 0b1001, true};

/// The buffers, accessed through their sockets.
struct Bench {
  SimulationContext context;
  SwapBuffers buffers;
  Asker<RaySwap> start{"start", buffers.swaps};
  Asker<RegisterTransfers> transfers{"transfers", buffers.transfers};
  Asker<TransferGrants> grants{"grants", buffers.grants};

  Bench(std::size_t count, std::size_t registers) : buffers("buffers", count, registers) {
    elaborate();
    buffers.begin();
  }

  std::optional<RegisterAccess> read() { return transfers().read; }
  std::optional<RegisterAccess> write() { return transfers().write; }
  bool finished() { return transfers().finished; }
  bool busy() { return transfers().busy; }
  /// Ends a cycle.
  void step(bool read_granted, bool write_granted) { grants({read_granted, write_granted}); }
  /// Ends a cycle and the swap.
  void end() { grants({false, false, true}); }
};

/// Cycles of a swap from its first access to its last, if every access is granted at once.
unsigned cycles_of(const RaySwap& swap, std::size_t buffers, std::size_t registers) {
  Bench bench(buffers, registers);
  bench.start(swap);
  unsigned cycles = 0;
  for (; !bench.finished(); ++cycles) {
    REQUIRE(cycles < 1000);
    bench.step(bench.read().has_value(), bench.write().has_value());
  }
  return cycles;
}

/// Model of the register file and the buffers: a word for each register of both rows, and the buffered words.
struct Words {
  std::array<std::vector<int>, 2> rows;  ///< the source, the destination
  std::deque<int> buffered;

  explicit Words(std::size_t registers) {
    int word = 0;
    for (auto& row : rows) {
      for (std::size_t i = 0; i < registers; ++i) row.push_back(word++);
    }
  }
  int& at(const RegisterAccess& access) { return rows.at(access.row == move.source ? 0 : 1).at(access.ray_register); }
  /// Ends a cycle: words leave the buffers before others enter.
  void step(const std::optional<RegisterAccess>& read, const std::optional<RegisterAccess>& write) {
    if (write) {
      REQUIRE_FALSE(buffered.empty());
      at(*write) = buffered.front();
      buffered.pop_front();
    }
    if (read) buffered.push_back(at(*read));
  }
};

/// Grants alternate between this many cycles without a grant and this many with one; 0: grants are random.
struct Waves {
  unsigned reads;
  unsigned writes;
};

/// Checks that a swap moves each word to its destination, in one read and one write.
void check_words(const RaySwap& swap, std::size_t buffers, std::size_t registers, const Waves& waves,
                 std::mt19937& random) {
  const auto allows = [&](unsigned cycle, unsigned wave) {
    return wave == 0 ? random() % 3 == 0 : cycle / wave % 2 == 1;
  };
  Bench bench(buffers, registers);
  Words words(registers);
  const Words before = words;
  std::size_t reads = 0;
  std::size_t writes = 0;
  bench.start(swap);
  for (unsigned cycle = 0; !bench.finished(); ++cycle) {
    if (cycle == 10'000) FAIL("the swap does not end");
    const auto read = allows(cycle, waves.reads) ? bench.read() : std::nullopt;
    const auto write = allows(cycle, waves.writes) ? bench.write() : std::nullopt;
    words.step(read, write);
    reads += read ? 1 : 0;
    writes += write ? 1 : 0;
    bench.step(read.has_value(), write.has_value());
    REQUIRE(words.buffered.size() <= buffers);
  }
  CHECK(words.rows[1] == before.rows[0]);
  CHECK(words.rows[0] == (swap.both_ways ? before.rows[1] : before.rows[0]));
  CHECK(reads == registers * (swap.both_ways ? 2 : 1));
  CHECK(writes == reads);
}

}  // namespace

TEST_CASE("A move reads each register of one row and writes it into the other row a cycle later") {
  Bench bench(2, 2);
  CHECK_FALSE(bench.busy());
  CHECK_FALSE(bench.read());
  CHECK_FALSE(bench.write());
  bench.start(move);
  CHECK(bench.busy());
  CHECK(bench.read() == RegisterAccess{3, 0, 0b0110});
  CHECK_FALSE(bench.write());
  bench.step(true, false);
  CHECK(bench.read() == RegisterAccess{3, 1, 0b0110});
  CHECK(bench.write() == RegisterAccess{4, 0, 0b1001});
  bench.step(true, true);
  CHECK_FALSE(bench.read());
  CHECK(bench.write() == RegisterAccess{4, 1, 0b1001});
}

TEST_CASE("A swap is finished from the cycle after its last write until it is ended") {
  Bench bench(2, 1);
  bench.start(move);
  bench.step(true, false);
  CHECK_FALSE(bench.finished());
  bench.step(false, true);
  for (int cycle = 0; cycle < 3; ++cycle) {
    CHECK(bench.finished());
    CHECK(bench.busy());
    CHECK_FALSE(bench.read());
    CHECK_FALSE(bench.write());
    bench.step(false, false);
  }
  bench.end();
  CHECK_FALSE(bench.finished());
  CHECK_FALSE(bench.busy());
}

TEST_CASE("A swap can begin in the cycle in which the last one ends") {
  Bench bench(2, 1);
  bench.start(move);
  bench.step(true, false);
  bench.step(false, true);
  REQUIRE(bench.finished());
  bench.end();
  bench.start({5, 6, 0b1, 0b10, true});
  CHECK(bench.busy());
  CHECK_FALSE(bench.finished());
  CHECK(bench.read() == RegisterAccess{5, 0, 0b1});
  CHECK_FALSE(bench.write());
}

TEST_CASE("A launch begins without a swap") {
  Bench bench(2, 3);
  bench.start(move);
  bench.step(true, false);
  bench.buffers.begin();
  CHECK_FALSE(bench.busy());
  CHECK_FALSE(bench.finished());
  CHECK_FALSE(bench.read());
  CHECK_FALSE(bench.write());
}

TEST_CASE("The buffers repeat an access that is not granted") {
  Bench bench(2, 3);
  bench.start(move);
  for (int i = 0; i < 3; ++i) {
    bench.step(false, false);
    CHECK(bench.read() == RegisterAccess{3, 0, 0b0110});
  }
  bench.step(true, false);
  bench.step(true, false);
  CHECK_FALSE(bench.read());  // both buffers are full
  CHECK(bench.write() == RegisterAccess{4, 0, 0b1001});
  bench.step(false, false);
  CHECK(bench.write() == RegisterAccess{4, 0, 0b1001});
}

TEST_CASE("Swaps in both directions overwrite no unread value") {
  Bench bench(2, 1);
  bench.start(exchange);
  CHECK(bench.read() == RegisterAccess{3, 0, 0b0110});
  bench.step(true, false);
  CHECK_FALSE(bench.write());
  CHECK(bench.read() == RegisterAccess{4, 0, 0b1001});
  bench.step(true, false);
  CHECK(bench.write() == RegisterAccess{4, 0, 0b1001});
  bench.step(false, true);
  CHECK(bench.write() == RegisterAccess{3, 0, 0b0110});
  bench.step(false, true);
  CHECK(bench.finished());
}

TEST_CASE("A swap without conflicts takes the number of cycles calculated by hand") {
  // One read a cycle; each word is written one cycle after its read.
  CHECK(cycles_of(move, 2, 17) == 17 + 1);
  CHECK(cycles_of(move, 6, 17) == 17 + 1);
  // One read a cycle; each word is written two cycles after its read, because both words of a pair are read before the
  // first is written. So two buffers are full at the third read.
  CHECK(cycles_of(exchange, 3, 17) == 2 * 17 + 2);
  CHECK(cycles_of(exchange, 6, 17) == 2 * 17 + 2);
  // With two buffers, the third read waits for the first write. A pair begins every three cycles, and the last pair
  // takes four.
  CHECK(cycles_of(exchange, 2, 1) == 4);
  CHECK(cycles_of(exchange, 2, 17) == 16 * 3 + 4);
}

TEST_CASE("Swaps move each word to the other row, with any number of buffers and any pattern of grants") {
  std::mt19937 random(1);
  for (const RaySwap& swap : {move, exchange}) {
    for (std::size_t buffers = 2; buffers <= 9; ++buffers) {
      for (const std::size_t registers : {1U, 2U, 3U, 17U}) {
        for (const Waves& waves : {Waves{0, 0}, Waves{1, 5}, Waves{5, 1}, Waves{7, 7}, Waves{1, 20}, Waves{3, 4}}) {
          CAPTURE(swap.both_ways, buffers, registers, waves.reads, waves.writes);
          check_words(swap, buffers, registers, waves, random);
        }
      }
    }
  }
}
