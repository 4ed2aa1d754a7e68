// SPDX-License-Identifier: Apache-2.0
#include "models/kernel/partition/max_cut.hpp"

#include <bit>
#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/connected_components.hpp>

namespace reconverge::kernel {

namespace {

struct Neighbour {
  std::uint32_t vertex = 0;
  std::int32_t weight = 0;
};
using Neighbours = std::vector<std::vector<Neighbour>>;

Neighbours neighbours_of(std::uint32_t vertices, std::span<const CutEdge> edges) {
  Neighbours neighbours(vertices);
  for (const CutEdge& edge : edges) {
    neighbours[edge.a].push_back({edge.b, edge.weight});
    neighbours[edge.b].push_back({edge.a, edge.weight});
  }
  return neighbours;
}

/// The gain of the cut if the vertex changes sides.
std::int64_t gain_of(const Neighbours& neighbours, const Cut& cut, std::uint32_t vertex) {
  std::int64_t gain = 0;
  for (const Neighbour& other : neighbours[vertex]) {
    gain += cut[other.vertex] == cut[vertex] ? other.weight : -other.weight;
  }
  return gain;
}

/// Tries all cuts of the members, with the first member fixed. Consecutive cuts differ in one vertex (a Gray code).
void cut_exactly(const std::vector<std::uint32_t>& members, const Neighbours& neighbours, Cut& cut) {
  std::int64_t weight = 0;
  std::int64_t most = 0;
  std::uint64_t best = 0;
  const std::uint64_t cuts = std::uint64_t{1} << (members.size() - 1);
  for (std::uint64_t i = 1; i < cuts; ++i) {
    const std::uint32_t vertex = members[static_cast<std::size_t>(std::countr_zero(i)) + 1];
    weight += gain_of(neighbours, cut, vertex);
    cut[vertex] ^= 1U;
    if (weight <= most) continue;
    most = weight;
    best = i;
  }
  const std::uint64_t sides = best ^ (best >> 1U);
  for (std::size_t i = 1; i < members.size(); ++i) cut[members[i]] = sides >> (i - 1) & 1U;
}

}  // namespace

std::int64_t weight_of(const Cut& cut, std::span<const CutEdge> edges) {
  std::int64_t weight = 0;
  for (const CutEdge& edge : edges) {
    if (cut[edge.a] != cut[edge.b]) weight += edge.weight;
  }
  return weight;
}

Cut greedy_cut(std::uint32_t vertices, std::span<const CutEdge> edges) {
  const Neighbours neighbours = neighbours_of(vertices, edges);
  Cut cut(vertices, 0);
  for (std::uint32_t vertex = 0; vertex < vertices; ++vertex) {
    std::int64_t on_one = 0;  // weight of cut edges on side 1, minus that on side 0
    for (const Neighbour& other : neighbours[vertex]) {
      if (other.vertex < vertex) on_one += cut[other.vertex] == 0 ? other.weight : -other.weight;
    }
    cut[vertex] = on_one > 0 ? 1 : 0;
  }
  return cut;
}

Cut largest_cut(std::uint32_t vertices, std::span<const CutEdge> edges) {
  if (vertices == 0) return {};
  using Graph = boost::adjacency_list<boost::vecS, boost::vecS, boost::undirectedS>;
  Graph graph(vertices);
  for (const CutEdge& edge : edges) boost::add_edge(edge.a, edge.b, graph);
  std::vector<std::uint32_t> component(vertices);
  const auto count = boost::connected_components(
      graph, boost::make_iterator_property_map(component.begin(), boost::get(boost::vertex_index, graph)));
  std::vector<std::vector<std::uint32_t>> members(static_cast<std::size_t>(count));
  for (std::uint32_t vertex = 0; vertex < vertices; ++vertex) members[component[vertex]].push_back(vertex);
  const Neighbours neighbours = neighbours_of(vertices, edges);
  const Cut greedy = greedy_cut(vertices, edges);
  Cut cut(vertices, 0);
  for (const auto& of_component : members) {
    if (of_component.size() <= exact_cut_vertices) {
      cut_exactly(of_component, neighbours, cut);
    } else {
      for (const std::uint32_t vertex : of_component) cut[vertex] = greedy[vertex];
    }
  }
  return cut;
}

}  // namespace reconverge::kernel
