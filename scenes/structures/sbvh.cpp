// SPDX-License-Identifier: Apache-2.0
#include "scenes/structures/sbvh.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "models/core/error.hpp"
#include "scenes/structures/bvh_writer.hpp"
#include "scenes/structures/sbvh_splits.hpp"
#include "scenes/structures/triangle_box.hpp"

namespace reconverge::scenes {

namespace {

/// The kernels' stacks have room for this many inner nodes on the longest path.
constexpr int most_depth = 63;
/// Planes are tried only down to this depth, as by Aila, Laine and Karras.
constexpr int most_depth_of_planes = 48;

void check(const Mesh& mesh, const SbvhOptions& options) {
  const auto refuse = [&mesh](const std::string& what, const char* hint) { throw InputError({mesh.name}, what, hint); };
  if (options.max_leaf_size < 1 || options.max_leaf_size > 32)
    refuse(fmt::format("BVH leaves of {} triangles", options.max_leaf_size), "give 1 to 32");
  if (!(options.traversal_cost > 0.0F && options.intersection_cost > 0.0F))
    refuse(fmt::format("BVH costs of {} and {}", options.traversal_cost, options.intersection_cost),
           "give numbers above zero");
  if (!(options.split_alpha >= 0.0F))
    refuse(fmt::format("spatial splits from an overlap of {}", options.split_alpha), "give 0 or more");
}

Part everything(const Mesh& mesh) {
  Part part;
  for (unsigned triangle = 0; triangle < mesh.triangle_count(); ++triangle) {
    part.references.push_back({bounds_of(mesh.corners(triangle)), triangle});
    part.box.extend(part.references.back().box);
  }
  return part;
}

std::vector<unsigned> triangles_of(const Part& part) {
  std::vector<unsigned> triangles;
  for (const Reference& reference : part.references) triangles.push_back(reference.triangle);
  return triangles;
}

class Builder {
 public:
  Builder(const Mesh& mesh, const SbvhOptions& options)
      : mesh_(mesh), options_(options), writer_(mesh), finder_(mesh, options.intersection_cost) {}

  Bvh build() {
    Part all = everything(mesh_);
    least_overlap_ = half_area(all.box) * options_.split_alpha;
    std::optional<Halves> root = divide(all, 0);
    if (!root) {
      writer_.add_only_leaf(triangles_of(all));
      return writer_.take();
    }
    std::vector<Open> open;
    open.push_back({std::move(*root), writer_.add_node(1), 1});
    while (!open.empty()) {
      Open now = std::move(open.back());
      open.pop_back();
      const std::array<Box, 2> boxes{now.halves[0].box, now.halves[1].box};
      std::array<int, 2> children{};
      for (std::size_t i = 0; i < 2; ++i) {
        if (std::optional<Halves> below = divide(now.halves[i], now.depth)) {
          children[i] = writer_.add_node(now.depth + 1);
          open.push_back({std::move(*below), children[i], now.depth + 1});
        } else {
          children[i] = writer_.add_leaf(triangles_of(now.halves[i]));
        }
      }
      writer_.set_node(now.node, boxes, children);
    }
    return writer_.take();
  }

 private:
  /// A node whose children are not built yet.
  struct Open {
    Halves halves;
    int node;
    int depth;  ///< inner nodes from the root, including this one
  };

  /// Empty if `part` is better as a leaf; otherwise consumes its references. `depth`: inner nodes above.
  std::optional<Halves> divide(Part& part, int depth) {
    const std::size_t count = part.references.size();
    if (count <= 1 || depth >= most_depth) return std::nullopt;
    const ObjectSplit objects = finder_.find_object_split(part.references);
    SpatialSplit plane;
    const Box shared{max(objects.boxes[0].low, objects.boxes[1].low),
                     min(objects.boxes[0].high, objects.boxes[1].high)};
    const double overlap = shared.empty() ? 0.0 : half_area(shared);
    if (depth < most_depth_of_planes && overlap >= least_overlap_) plane = finder_.find_spatial_split(part);
    const double area = half_area(part.box);
    const double leaf = area * options_.intersection_cost * static_cast<double>(count) - area * options_.traversal_cost;
    if (leaf <= std::min(objects.cost, plane.cost) && count <= static_cast<std::size_t>(options_.max_leaf_size))
      return std::nullopt;
    if (plane.cost <= std::min(objects.cost, leaf)) {
      Halves halves = finder_.split(part, plane);
      if (!halves[0].references.empty() && !halves[1].references.empty()) return halves;
    }
    return SplitFinder::split(std::move(part), objects);
  }

  const Mesh& mesh_;
  const SbvhOptions& options_;
  BvhWriter writer_;
  SplitFinder finder_;
  double least_overlap_ = 0.0;
};

}  // namespace

Bvh build_sbvh(const Mesh& mesh, const SbvhOptions& options) {
  check(mesh, options);
  return Builder(mesh, options).build();
}

}  // namespace reconverge::scenes
