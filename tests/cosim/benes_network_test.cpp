// SPDX-License-Identifier: Apache-2.0
/// The RTL of a Benes network in lock step with its model: every output of every clock, under all permutations and all
/// packing masks of small networks, and under random requests that reach every case that matters. RECONVERGE_SEED=N
/// runs the seeds from N on instead; RECONVERGE_CYCLES=N runs N more clocks of each.

#include <VBenes16.h>
#include <VBenes16Pipelined.h>
#include <VBenes2.h>
#include <VBenes64.h>
#include <VBenes64Pipelined.h>
#include <VBenes8.h>
#include <fmt/format.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <numeric>

#include "models/cosim/benes_network/bench/lock_step.hpp"
#include "platforms/specification/scenarios/scenarios.hpp"
#include "tests/cosim/replayed_scenarios.hpp"
#include "tests/cosim/seeds.hpp"

using namespace reconverge;

namespace {

constexpr unsigned data_bits = 8;

/// Random requests; every bin is reached, except those that a network of this size does not have.
template <typename Class>
void check(NetworkTrafficShape shape, std::uint64_t cycles, const std::vector<std::string>& without = {}) {
  constexpr std::uint32_t seeds = 4;
  cycles = tests::from_environment("RECONVERGE_CYCLES", cycles);
  shape.data_bits = data_bits;
  NetworkCoverage coverage(shape.ports);
  const std::string name = fmt::format("benes_{}_{}", shape.ports, shape.register_every);
  const std::string ran = tests::run_seeds(seeds, name, [&](std::uint32_t seed) {
    using Covered = CoveredNetwork<Class>;
    NetworkTraffic<Covered> traffic(shape, seed,
                                    std::make_unique<Covered>(NetworkPorts::Shape{shape.ports, data_bits}, coverage));
    for (std::uint64_t cycle = 0; cycle < cycles; ++cycle) traffic.cycle();
  });
  fmt::print("Benes network, {} ports, a register every {} stages: {} cycles compared, {}\n{}", shape.ports,
             shape.register_every, seeds * cycles, ran, coverage.text());
  CHECK(coverage.empty_bins() == without);
}

/// A network without registers, to which requests are applied one by one.
template <typename Class>
class Alone {
 public:
  explicit Alone(unsigned ports)
      : pins_(NetworkPipeline(RecordPacking(BenesRouting(ports)), 0),
              std::make_unique<Compared>(NetworkPorts::Shape{ports, data_bits})) {
    inputs_.valid = true;
    std::iota(inputs_.data.begin(), inputs_.data.end(), 1U);
  }

  NetworkOutputs operator()(NetworkMode mode, const RecordGroup& group, const NetworkSettings& crossed = {}) {
    inputs_.mode = mode;
    inputs_.group = group;
    inputs_.crossed = crossed;
    return pins_.clock(inputs_);
  }

 private:
  using Compared = ComparedNetworkWith<Class>;
  NetworkPins<Compared> pins_;
  NetworkInputs inputs_;
};

}  // namespace

TEST_CASE("RTL and model of a Benes network agree in every clock and every covered case") {
  check<VBenes16>({.ports = 16}, 50'000, {"clock: records leave while there is no request"});
  check<VBenes16Pipelined>({.ports = 16, .register_every = 3}, 50'000);
  check<VBenes64>({.ports = 64}, 20'000, {"clock: records leave while there is no request"});
  check<VBenes64Pipelined>({.ports = 64, .register_every = 1}, 20'000);
  check<VBenes2>(
      {.ports = 2}, 10'000,
      {"clock: records leave while there is no request", "split: stripes meet, records elsewhere, in one clock",
       "split: stripes do not meet, in one clock", "split: two clocks for a switch, with ports enough"});
}

TEST_CASE("popa.benes.rearrangeable: the RTL routes every permutation of 8 ports") {
  Alone<VBenes8> network(8);
  const BenesRouting routing(8);
  std::array<std::uint8_t, 8> to{};
  std::iota(to.begin(), to.end(), std::uint8_t{0});
  std::uint64_t permutations = 0;
  std::uint64_t wrong = 0;
  do {
    const NetworkOutputs outputs = network(NetworkMode::permute, {0xff, 0, 0, 0}, routing.route(to));
    for (unsigned port = 0; port < 8; ++port) wrong += outputs.data[to[port]] == port + 1 ? 0 : 1;
    ++permutations;
  } while (std::ranges::next_permutation(to).found);
  CHECK(permutations == 40'320);
  CHECK(wrong == 0);
}

TEST_CASE("The RTL packs every mask of 16 lanes from every stripe, and unpacks it") {
  Alone<VBenes16> network(16);
  for (PortMask active = 0; active <= 0xffff; ++active) {
    for (unsigned first = 0; first < 16; ++first) network(NetworkMode::pack, {active, 0, first, 0});
    network(NetworkMode::unpack, {active, active, static_cast<unsigned>(active) % 16, 0});
  }
}

TEST_CASE("The RTL splits every group of 8 lanes between any stripes, and unpacks it") {
  Alone<VBenes8> network(8);
  for (PortMask active = 0; active <= 0xff; ++active) {
    for (PortMask taken = active;; taken = (taken - 1) & active) {
      for (unsigned stripes = 0; stripes < 64; ++stripes) {
        const RecordGroup group{active, taken, stripes % 8, stripes / 8};
        while (!network(NetworkMode::split, group).ready) {
        }
        while (!network(NetworkMode::unpack, group).ready) {
        }
      }
      if (taken == 0) break;
    }
  }
}

TEST_CASE("the RTL of Benes networks agrees with the timing diagrams of its page") {
  tests::replay<NetworkPorts, VBenes8>(specification::network_scenarios());
}
