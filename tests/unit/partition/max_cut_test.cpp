// SPDX-License-Identifier: Apache-2.0
#include "models/kernel/partition/max_cut.hpp"

#include <fmt/format.h>

#include <bit>
#include <catch2/catch.hpp>
#include <random>

#include "tests/repetition.hpp"

namespace reconverge {

namespace {

using kernel::Cut;
using kernel::CutEdge;

/// The graph that has an edge for each set bit of `code`; each pair of vertices has a bit.
std::vector<CutEdge> graph_of(std::uint32_t vertices, std::uint64_t code) {
  std::vector<CutEdge> edges;
  for (std::uint32_t a = 1; a < vertices; ++a) {
    for (std::uint32_t b = 0; b < a; ++b, code >>= 1U) {
      if ((code & 1U) != 0) edges.push_back({a, b, 1});
    }
  }
  return edges;
}

/// All cuts, each as a mask of the pairs of vertices that it cuts.
std::vector<std::uint64_t> all_cuts(std::uint32_t vertices) {
  std::vector<std::uint64_t> cuts;
  for (std::uint32_t sides = 0; sides < 1U << (vertices - 1); ++sides) {
    std::uint64_t cut = 0;
    std::uint32_t pair = 0;
    for (std::uint32_t a = 1; a < vertices; ++a) {
      for (std::uint32_t b = 0; b < a; ++b, ++pair) {
        cut |= static_cast<std::uint64_t>((sides >> a & 1U) != (sides >> b & 1U)) << pair;
      }
    }
    cuts.push_back(cut);
  }
  return cuts;
}

}  // namespace

// All graphs of up to 7 vertices, or 6 in the short form. RECONVERGE_CUT_VERTICES=8 takes several more minutes.
TEST_CASE("mpp.maxcut: the greedy cut is at least half the largest, and the exact one is it", "[partition][paper]") {
  const auto most =
      static_cast<std::uint32_t>(tests::from_environment("RECONVERGE_CUT_VERTICES", tests::short_form() ? 6 : 7));
  for (std::uint32_t vertices = 1; vertices <= most; ++vertices) {
    const std::vector<std::uint64_t> cuts = all_cuts(vertices);
    const std::uint64_t graphs = std::uint64_t{1} << (vertices * (vertices - 1) / 2);
    std::uint64_t below_half = 0;
    std::uint64_t not_largest = 0;
    for (std::uint64_t code = 0; code < graphs; ++code) {
      const std::vector<CutEdge> edges = graph_of(vertices, code);
      int largest = 0;
      for (const std::uint64_t cut : cuts) largest = std::max(largest, std::popcount(cut & code));
      below_half += 2 * weight_of(kernel::greedy_cut(vertices, edges), edges) < largest ? 1 : 0;
      if (vertices <= 6) not_largest += weight_of(kernel::largest_cut(vertices, edges), edges) != largest ? 1 : 0;
    }
    CHECK(below_half == 0);
    CHECK(not_largest == 0);
  }
}

TEST_CASE("negative weights keep vertices on one side", "[partition]") {
  std::mt19937 random(1);  // NOLINT(bugprone-random-generator-seed): the same graphs always
  for (int graph = 0; graph < 200; ++graph) {
    const std::uint32_t vertices = 2 + random() % 8;
    std::vector<CutEdge> edges;
    for (std::uint32_t i = random() % 16; i != 0; --i) {
      const std::uint32_t a = random() % vertices;
      const std::uint32_t b = random() % vertices;
      if (a != b) edges.push_back({a, b, static_cast<std::int32_t>(random() % 7) - 3});
    }
    std::int64_t largest = 0;
    for (std::uint32_t sides = 0; sides < 1U << vertices; ++sides) {
      Cut cut(vertices);
      for (std::uint32_t vertex = 0; vertex < vertices; ++vertex) cut[vertex] = sides >> vertex & 1U;
      largest = std::max(largest, weight_of(cut, edges));
    }
    CHECK(weight_of(kernel::largest_cut(vertices, edges), edges) == largest);
    CHECK(weight_of(kernel::greedy_cut(vertices, edges), edges) <= largest);
  }
}

}  // namespace reconverge
