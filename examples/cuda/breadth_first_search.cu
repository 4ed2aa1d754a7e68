// SPDX-License-Identifier: Apache-2.0
// Breadth-first search of a random graph, level by level. Usage: breadth_first_search [vertices]
#include <algorithm>
#include <random>
#include <vector>

#include "check.h"

constexpr int unreached = -1;
constexpr unsigned block_threads = 128;

// Compressed sparse rows: the neighbours of vertex v are neighbours[first[v]] to neighbours[first[v + 1] - 1].
struct Graph {
  std::vector<unsigned> first = {0};
  std::vector<unsigned> neighbours;
  unsigned vertices() const { return static_cast<unsigned>(first.size()) - 1; }
};

// The same, in device memory.
struct DeviceGraph {
  unsigned* first = nullptr;
  unsigned* neighbours = nullptr;
  unsigned vertices = 0;
};

// The level of each vertex, and how many have one.
struct Search {
  std::vector<int> levels;
  unsigned reached = 0;
};

__device__ unsigned reached_count;

// Gives the next level to all vertices that are reached from the current one, and sets the flag if there are any.
__global__ void expand(DeviceGraph graph, int* levels, int level, int* any_reached) {
  const unsigned vertex = blockIdx.x * blockDim.x + threadIdx.x;
  if (vertex >= graph.vertices || levels[vertex] != level) return;
  for (unsigned edge = graph.first[vertex]; edge < graph.first[vertex + 1]; ++edge) {
    // Several threads may find a neighbour at once; exactly one of them counts it.
    if (atomicCAS(&levels[graph.neighbours[edge]], unreached, level + 1) != unreached) continue;
    atomicAdd(&reached_count, 1u);
    *any_reached = 1;
  }
}

// Most vertices have few neighbours and some have many: the threads of a warp have loops of different lengths.
Graph random_graph(unsigned vertices) {
  std::mt19937 random(2);
  Graph graph;
  for (unsigned vertex = 0; vertex < vertices; ++vertex) {
    const unsigned degree = vertex == 0 || random() % 16 == 0 ? 8 + random() % 32 : random() % 5;
    for (unsigned i = 0; i < degree; ++i) graph.neighbours.push_back(static_cast<unsigned>(random() % vertices));
    graph.first.push_back(static_cast<unsigned>(graph.neighbours.size()));
  }
  return graph;
}

unsigned* copy_to_device(const std::vector<unsigned>& values) {
  unsigned* device = nullptr;
  CHECK(cudaMalloc(&device, values.size() * sizeof(unsigned)));
  CHECK(cudaMemcpy(device, values.data(), values.size() * sizeof(unsigned), cudaMemcpyHostToDevice));
  return device;
}

// Returns whether the level has a next one.
bool run_level(const DeviceGraph& graph, int* levels, int level, int* any_reached) {
  const unsigned blocks = (graph.vertices + block_threads - 1) / block_threads;
  int reached = 0;
  CHECK(cudaMemcpy(any_reached, &reached, sizeof(int), cudaMemcpyHostToDevice));
  expand<<<blocks, block_threads>>>(graph, levels, level, any_reached);
  CHECK(cudaGetLastError());
  CHECK(cudaMemcpy(&reached, any_reached, sizeof(int), cudaMemcpyDeviceToHost));
  return reached != 0;
}

Search search_on_device(const Graph& graph, unsigned start) {
  const DeviceGraph device = {copy_to_device(graph.first), copy_to_device(graph.neighbours), graph.vertices()};
  Search search = {std::vector<int>(graph.vertices(), unreached), 1};
  search.levels[start] = 0;
  const std::size_t bytes = search.levels.size() * sizeof(int);
  int *levels = nullptr, *any_reached = nullptr;
  CHECK(cudaMalloc(&levels, bytes));
  CHECK(cudaMalloc(&any_reached, sizeof(int)));
  CHECK(cudaMemcpy(levels, search.levels.data(), bytes, cudaMemcpyHostToDevice));
  CHECK(cudaMemcpyToSymbol(reached_count, &search.reached, sizeof(search.reached)));

  int level = 0;
  while (run_level(device, levels, level, any_reached)) ++level;

  CHECK(cudaMemcpyFromSymbol(&search.reached, reached_count, sizeof(search.reached)));
  CHECK(cudaMemcpy(search.levels.data(), levels, bytes, cudaMemcpyDeviceToHost));
  CHECK(cudaFree(device.first));
  CHECK(cudaFree(device.neighbours));
  CHECK(cudaFree(levels));
  CHECK(cudaFree(any_reached));
  return search;
}

Search search_on_host(const Graph& graph, unsigned start) {
  Search search = {std::vector<int>(graph.vertices(), unreached), 0};
  std::vector<unsigned> queue = {start};
  search.levels[start] = 0;
  for (; search.reached < queue.size(); ++search.reached) {
    const unsigned vertex = queue[search.reached];
    for (unsigned edge = graph.first[vertex]; edge < graph.first[vertex + 1]; ++edge) {
      const unsigned neighbour = graph.neighbours[edge];
      if (search.levels[neighbour] != unreached) continue;
      search.levels[neighbour] = search.levels[vertex] + 1;
      queue.push_back(neighbour);
    }
  }
  return search;
}

int main(int argument_count, char** arguments) {
  const Graph graph = random_graph(size_argument(argument_count, arguments, 6000));
  const Search found = search_on_device(graph, 0);
  const Search expected = search_on_host(graph, 0);

  const int deepest = *std::max_element(found.levels.begin(), found.levels.end());
  std::printf("%u vertices, %zu edges: reached %u, expected %u, deepest level %d\n", graph.vertices(),
              graph.neighbours.size(), found.reached, expected.reached, deepest);
  return verdict(found.reached == expected.reached && found.levels == expected.levels);
}
