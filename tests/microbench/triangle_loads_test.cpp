// SPDX-License-Identifier: Apache-2.0
// What the traversal kernels load of a triangle. One lane traces a ray that misses everything, so each read-only load
// is one instruction for one request, and its number is known:
//   2 for the ray, 4 for the root, 1 for each row that is loaded of a triangle or for an end marker;
//   a kernel whose rays may move loads the end of the ray again when it stores the hit.
// Kernels that load the rows of a triangle together load three for each triangle and three for each end marker.

#include <array>
#include <catch2/catch.hpp>
#include <filesystem>
#include <string>
#include <vector>

#include "models/core/simulation_context.hpp"
#include "models/kernel/decode/load_program.hpp"
#include "models/schemes/dynamic_ray_shuffling/ray_instructions.hpp"
#include "scenes/device_layout.h"
#include "tests/microbench/microbench.hpp"

namespace reconverge::tests {
namespace {

using scenes::WoopTriangle;

/// Of the ray from the origin along z that ends at 100: the first row says that the plane is too far away, the second
/// that u is negative, or the third that v is. The test needs one, two or three rows.
constexpr WoopTriangle too_far{{0, 0, 1, 200}, {1, 0, 0, 0}, {0, 1, 0, 0}};
constexpr WoopTriangle beyond_u{{0, 0, 1, 5}, {1, 0, 0, -1}, {0, 1, 0, 0}};
constexpr WoopTriangle beyond_v{{0, 0, 1, 5}, {1, 0, 0, 0}, {0, 1, 0, -1}};

struct Kernel {
  std::string file, entry;
  bool moves = false;     ///< rays may move
  bool together = false;  ///< the rows of a triangle are loaded together
};

/// A root with a leaf of these triangles and an empty leaf, which every ray visits.
struct Tree {
  std::vector<scenes::BvhNode> nodes;
  std::vector<std::array<float, 4>> rows;
};

Tree tree_of(const std::vector<WoopTriangle>& triangles) {
  constexpr std::array<float, 4> end{-0.0F, 0, 0, 0};
  Tree tree;
  for (const auto& [row0, row1, row2] : triangles) {
    for (const auto& row : {row0, row1, row2}) tree.rows.push_back({row[0], row[1], row[2], row[3]});
  }
  tree.rows.push_back(end);
  const int empty = ~static_cast<int>(tree.rows.size());
  tree.rows.insert(tree.rows.end(), 1 + scenes::spare_rows, end);
  constexpr float far = 1000;
  tree.nodes = {{-far, far, -far, far, -far, far, -far, far, -far, far, -far, far, ~0, empty, 0, 0}};
  return tree;
}

template <typename T>
DeviceAddress upload(Gpu& gpu, const std::string& name, const std::vector<T>& values) {
  return gpu.memory().upload(name, std::span<const T>(values));
}

/// Read-only loads of one ray.
std::uint64_t loads(const Kernel& kernel, const std::vector<WoopTriangle>& triangles) {
  GpuParameters machine = plain_machine();
  if (kernel.moves) machine.sm.scheme = {"dynamic_ray_shuffling"};
  const auto path = std::filesystem::path(RECONVERGE_SOURCE_DIR) / "platforms/kernels" / (kernel.file + ".ptx");
  const kernel::Program program = kernel::load_program(path, kernel.entry, ray_instructions());
  const SimulationContext context;
  Gpu gpu("gpu", machine);
  const Tree tree = tree_of(triangles);
  std::vector<Argument> arguments{
      upload(gpu, "nodes", tree.nodes),
      upload(gpu, "rows", tree.rows),
      upload(gpu, "triangle of row", std::vector<int>(tree.rows.size())),
      upload(gpu, "rays", std::vector<scenes::Ray>{{{0, 0, 0}, 0, {0, 0, 1}, 100}}),
      gpu.memory().allocate("hits", sizeof(scenes::Hit)),
      std::uint32_t{1},
      gpu.memory().allocate("counters", 8),
  };
  if (kernel.moves) arguments.emplace_back(gpu.memory().allocate("stacks", 1 << 20));
  REQUIRE(gpu.run(make_launch(program, {1}, {32}, arguments)));
  return gpu.totals().of<LoadStoreStatistics>().instructions[LoadStoreInstructions::texture];
}

}  // namespace

TEST_CASE("a triangle costs the loads of the rows that its test needs, or of all three") {
  const Kernel kernel = GENERATE(Kernel{"trace_persistent", "trace_replacing_speculative"},
                                 Kernel{"trace_persistent", "trace_replacing_speculative_three_rows", false, true},
                                 Kernel{"trace_shuffled", "trace_shuffled", true},
                                 Kernel{"trace_shuffled", "trace_shuffled_three_rows", true, true});
  INFO(kernel.entry);
  struct Leaf {
    std::vector<WoopTriangle> triangles;
    std::uint64_t rows_needed;
  };
  const Leaf leaf = GENERATE(Leaf{{}, 0}, Leaf{{too_far}, 1}, Leaf{{beyond_u}, 2}, Leaf{{beyond_v}, 3},
                             Leaf{{too_far, beyond_v, beyond_u, too_far, too_far}, 8});
  const std::uint64_t ends = 2;
  const std::uint64_t rows = kernel.together ? 3 * (leaf.triangles.size() + ends) : leaf.rows_needed + ends;
  CHECK(loads(kernel, leaf.triangles) == 2 + 4 + rows + (kernel.moves ? 1 : 0));
}

}  // namespace reconverge::tests
