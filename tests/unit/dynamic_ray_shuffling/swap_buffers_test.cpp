// SPDX-License-Identifier: Apache-2.0
#include "models/schemes/dynamic_ray_shuffling/swap_buffers.hpp"

#include <catch2/catch.hpp>

#include "tests/unit/dynamic_ray_shuffling/asker.hpp"

using namespace reconverge;
using namespace reconverge::tests;

namespace {

const RaySwap move{3, 4, 0b0110, 0b1001, false};
const RaySwap exchange{3, 4, 0b0110, 0b1001, true};

/// A unit's buffers, accessed through their sockets.
struct Bench {
  SimulationContext context;
  SwapBuffers buffers;
  Asker<RaySwap> start{"start", buffers.swaps};
  Asker<RegisterTransfers> transfers{"transfers", buffers.transfers};
  Asker<TransferGrants> grants{"grants", buffers.grants};

  Bench(std::size_t count, std::size_t registers) : buffers("buffers", count, registers) { elaborate(); }

  std::optional<RegisterAccess> read() { return transfers().read; }
  std::optional<RegisterAccess> write() { return transfers().write; }
  /// Ends the cycle; returns whether the swap ended with it.
  bool step(bool read_granted, bool write_granted) { return grants({read_granted, write_granted}).ended; }
};

/// Cycles of a swap whose accesses are all granted at once.
unsigned cycles_of(const RaySwap& swap, std::size_t buffers, std::size_t registers) {
  Bench unit(buffers, registers);
  unit.start(swap);
  unsigned cycles = 0;
  for (bool ended = false; !ended; ++cycles) {
    REQUIRE(cycles < 1000);
    ended = unit.step(unit.read().has_value(), unit.write().has_value());
  }
  return cycles;
}

}  // namespace

TEST_CASE("A move reads each register of one row and writes it into the other, a cycle later") {
  Bench unit(2, 2);
  CHECK_FALSE(unit.read());
  CHECK_FALSE(unit.write());
  unit.start(move);
  CHECK(unit.read() == RegisterAccess{3, 0, 0b0110});
  CHECK_FALSE(unit.write());
  CHECK_FALSE(unit.step(true, false));
  CHECK(unit.read() == RegisterAccess{3, 1, 0b0110});
  CHECK(unit.write() == RegisterAccess{4, 0, 0b1001});
  CHECK_FALSE(unit.step(true, true));
  CHECK_FALSE(unit.read());
  CHECK(unit.write() == RegisterAccess{4, 1, 0b1001});
  CHECK(unit.step(false, true));
  CHECK_FALSE(unit.read());
  CHECK_FALSE(unit.write());
}

TEST_CASE("What is not granted is wanted again") {
  Bench unit(2, 3);
  unit.start(move);
  for (int i = 0; i < 3; ++i) {
    CHECK_FALSE(unit.step(false, false));
    CHECK(unit.read() == RegisterAccess{3, 0, 0b0110});
  }
  unit.step(true, false);
  unit.step(true, false);
  CHECK_FALSE(unit.read());  // both buffers hold something
  CHECK(unit.write() == RegisterAccess{4, 0, 0b1001});
}

TEST_CASE("Swaps in both directions overwrite no unread value") {
  Bench unit(2, 1);
  unit.start(exchange);
  CHECK(unit.read() == RegisterAccess{3, 0, 0b0110});
  unit.step(true, false);
  CHECK_FALSE(unit.write());
  CHECK(unit.read() == RegisterAccess{4, 0, 0b1001});
  unit.step(true, false);
  CHECK(unit.write() == RegisterAccess{4, 0, 0b1001});
  unit.step(false, true);
  CHECK(unit.write() == RegisterAccess{3, 0, 0b0110});
  CHECK(unit.step(false, true));
}

TEST_CASE("A swap without conflicts takes the number of cycles calculated by hand") {
  // One read a cycle, each written a cycle later.
  CHECK(cycles_of(move, 2, 17) == 18);
  CHECK(cycles_of(move, 6, 17) == 18);
  // With two buffers a pair is read in two cycles and written in two more; one buffer is free again after the first.
  CHECK(cycles_of(exchange, 4, 17) == 36);
  CHECK(cycles_of(exchange, 2, 1) == 4);
}
