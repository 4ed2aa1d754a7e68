// SPDX-License-Identifier: Apache-2.0
#include "models/stream/benes_network/benes_routing.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <numeric>
#include <random>
#include <vector>

#include "models/core/error.hpp"

using namespace reconverge;

namespace {

std::vector<std::uint8_t> identity(unsigned ports) {
  std::vector<std::uint8_t> to(ports);
  std::iota(to.begin(), to.end(), std::uint8_t{0});
  return to;
}

/// Whether the network routes the input of each port i to port to[i].
bool arrives(const BenesRouting& network, const std::vector<std::uint8_t>& to) {
  std::vector<std::uint8_t> values = identity(network.ports());
  network.apply(network.route(to), values);
  for (unsigned port = 0; port < network.ports(); ++port) {
    if (values[to[port]] != port) return false;
  }
  return true;
}

}  // namespace

TEST_CASE("popa.benes.stages: a network of N ports has 2 log2 N - 1 stages") {
  CHECK(BenesRouting(2).stages() == 1);
  CHECK(BenesRouting(8).stages() == 5);
  CHECK(BenesRouting(16).stages() == 7);
  CHECK(BenesRouting(64).stages() == most_network_stages);
}

TEST_CASE("popa.benes.switches: a network of N ports has 2 N log2 N - N multiplexers, two for each switch") {
  CHECK(BenesRouting(8).multiplexers() == 40);
  CHECK(BenesRouting(16).multiplexers() == 112);  // the thesis prints 120; its formula gives this
  for (unsigned ports = 2; ports <= most_network_ports; ports *= 2) {
    const BenesRouting network(ports);
    CHECK(network.multiplexers() == network.stages() * ports / 2 * 2);
  }
}

TEST_CASE("Stages connect ports at distances from N/2 to 1 and back to N/2") {
  const BenesRouting network(16);
  std::vector<unsigned> distances;
  for (unsigned stage = 0; stage < network.stages(); ++stage) distances.push_back(network.distance(stage));
  CHECK(distances == std::vector<unsigned>{8, 4, 2, 1, 2, 4, 8});
  for (unsigned bit = 0; bit < network.levels(); ++bit) CHECK(network.distance(network.stage_behind(bit)) == 1U << bit);
}

TEST_CASE("The switches of a stage have each port exactly once") {
  for (unsigned distance = 1; distance <= 8; distance *= 2) {
    PortMask seen = 0;
    for (unsigned number = 0; number < 8; ++number) {
      const unsigned port = BenesRouting::port_of(number, distance);
      CHECK(BenesRouting::switch_of(port, distance) == number);
      seen |= PortMask{1} << port | PortMask{1} << (port + distance);
    }
    CHECK(seen == 0xffff);
  }
}

TEST_CASE("Each register delays the records to their ports by one clock") {
  const BenesRouting network(16);
  CHECK(network.latency(0) == 0);
  CHECK(network.latency(1) == 7);
  CHECK(network.latency(2) == 4);
  CHECK(network.latency(7) == 1);
  CHECK(network.latency(11) == 1);
}

TEST_CASE("popa.benes.rearrangeable: every permutation of up to 8 ports has a route") {
  for (const unsigned ports : {2U, 4U, 8U}) {
    const BenesRouting network(ports);
    std::vector<std::uint8_t> to = identity(ports);
    std::uint64_t permutations = 0;
    std::uint64_t wrong = 0;
    do {
      ++permutations;
      if (!arrives(network, to)) ++wrong;
    } while (std::ranges::next_permutation(to).found);
    CHECK(wrong == 0);
    CHECK(permutations == (ports == 2 ? 2 : ports == 4 ? 24 : 40'320));
  }
}

TEST_CASE("Random permutations of up to 64 ports have a route") {
  std::mt19937 random(1);
  for (unsigned ports = 2; ports <= most_network_ports; ports *= 2) {
    const BenesRouting network(ports);
    std::vector<std::uint8_t> to = identity(ports);
    CHECK(arrives(network, to));
    std::ranges::reverse(to);
    CHECK(arrives(network, to));
    std::uint64_t wrong = 0;
    for (unsigned run = 0; run < 2000; ++run) {
      std::ranges::shuffle(to, random);
      if (!arrives(network, to)) ++wrong;
    }
    CHECK(wrong == 0);
  }
}

TEST_CASE("Reversed settings undo the permutation") {
  std::mt19937 random(1);
  const BenesRouting network(32);
  std::vector<std::uint8_t> to = identity(32);
  std::ranges::shuffle(to, random);
  const NetworkSettings settings = network.route(to);
  std::vector<std::uint8_t> values = identity(32);
  network.apply(settings, values);
  CHECK(values != identity(32));
  network.apply(network.reversed(settings), values);
  CHECK(values == identity(32));
}

TEST_CASE("Invalid numbers of ports and invalid permutations are refused") {
  for (const std::uint64_t ports : {0, 1, 3, 12, 65, 128}) CHECK_THROWS_AS(BenesRouting(ports), InputError);
  const BenesRouting network(4);
  for (const std::vector<std::uint8_t>& to :
       {std::vector<std::uint8_t>{0, 1, 2}, {0, 1, 2, 2}, {0, 1, 2, 4}, {0, 1, 2, 3, 4}}) {
    CHECK_THROWS_WITH(network.route(to), Catch::Matchers::Contains("no permutation of 4 ports"));
  }
}
