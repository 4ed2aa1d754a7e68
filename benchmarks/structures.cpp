// SPDX-License-Identifier: Apache-2.0
// structures SCENE ...: prints, as rows of the table in scenes/README.md, the build time and size of a scene's BVHs,
// kd-tree and grid, and the work of tracing a ray through each. Every hit is compared with Embree's; a mismatch ends
// the program with exit code 1.

#include <fmt/format.h>

#include <cstdio>
#include <ctime>
#include <exception>
#include <string>

#include "scenes/light/path_tracer.hpp"
#include "scenes/scene_library.hpp"
#include "scenes/structures/hit_comparison.hpp"
#include "scenes/structures/sbvh.hpp"
#include "scenes/structures/trace_scalar.hpp"

using namespace reconverge::scenes;

namespace {

/// Time of all threads of this process, which other programs on the machine affect little.
double cpu_seconds() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

std::string description(const Bvh& bvh) {
  return fmt::format("depth {}, {} nodes, {} leaves, {} entries", bvh.depth, bvh.nodes.size(), bvh.leaves,
                     references(bvh));
}

std::string description(const KdTree& tree) {
  return fmt::format("depth {}, {} nodes, {} leaves of which {} empty, {} entries", tree.depth, tree.nodes.size(),
                     tree.leaves, tree.empty_leaves, tree.leaf_triangles.size());
}

std::string description(const Grid& grid) {
  const auto [x, y, z] = grid.resolution();
  return fmt::format("{} x {} x {} cells of which {} occupied, {} entries", x, y, z, grid.occupied_cells(),
                     grid.cell_triangles.size());
}

/// Prints a row. Returns false if a hit differs from Embree's.
template <typename Build>
bool row(const Mesh& mesh, const RayStreams& streams, const EmbreeScene& oracle, const char* kind, Build&& build) {
  const double begin = cpu_seconds();
  const auto structure = build();
  const double seconds = cpu_seconds() - begin;
  std::string work;
  bool good = true;
  for (const RayStream& stream : streams.extension) {
    TraceWork counted;
    good = compare_hits(mesh, oracle, stream.rays, trace_scalar(structure, stream.rays, false, &counted)).ok() && good;
    const double rays = static_cast<double>(stream.rays.size());
    work += fmt::format(" {:.1f}, {:.1f} |", static_cast<double>(counted.nodes) / rays,
                        static_cast<double>(counted.triangles) / rays);
  }
  fmt::print("| {} | {} | {:.2f} | {} | {:.1f} |{}{}\n", mesh.name, kind, seconds, description(structure),
             static_cast<double>(size_in_memory(structure)) / 0x1p20, work, good ? "" : " MISMATCHES");
  std::fflush(stdout);
  return good;
}

bool measure(const std::string& scene) {
  const Mesh mesh = load_scene(scene).mesh;
  const EmbreeScene oracle(mesh);
  const RayStreams streams = trace_paths(mesh, {.width = 160, .height = 120, .samples_per_pixel = 1, .bounces = 2});
  const bool bvh = row(mesh, streams, oracle, "BVH", [&] { return build_bvh(mesh); });
  const bool split = row(mesh, streams, oracle, "SBVH", [&] { return build_sbvh(mesh); });
  const bool tree = row(mesh, streams, oracle, "kd-tree", [&] { return build_kd_tree(mesh, {.threads = 1}); });
  const bool grid = row(mesh, streams, oracle, "grid", [&] { return build_grid(mesh); });
  return bvh && split && tree && grid;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    fmt::print(
        "| scene | structure | CPU seconds | what it is | MiB | first bounce | second bounce |\n"
        "|---|---|---|---|---|---|---|\n");
    bool good = true;
    for (int i = 1; i < argc; ++i) good = measure(argv[i]) && good;
    return good ? 0 : 1;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 2;
  }
}
