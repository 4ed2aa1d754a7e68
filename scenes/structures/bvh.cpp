#include "scenes/structures/bvh.hpp"

#include <embree3/rtcore.h>
#include <fmt/format.h>

#include <bit>
#include <limits>
#include <memory>
#include <new>
#include <stdexcept>

#include "models/core/error.hpp"
#include "scenes/structures/embree_handle.hpp"

namespace reconverge::scenes {

namespace {

/// What Embree's builder makes; it lives in Embree's own allocator and is flattened at once.
struct BuildNode {
  bool leaf;
};
struct BuildInner : BuildNode {
  std::array<BuildNode*, 2> child;
  std::array<Box, 2> box;
};
struct BuildLeaf : BuildNode {
  unsigned count;
  unsigned* triangles;
};

Box to_box(const RTCBounds& b) { return {{b.lower_x, b.lower_y, b.lower_z}, {b.upper_x, b.upper_y, b.upper_z}}; }

void* create_node(RTCThreadLocalAllocator allocator, unsigned /*children*/, void* /*user*/) {
  return new (rtcThreadLocalAlloc(allocator, sizeof(BuildInner), 16)) BuildInner{{false}, {}, {}};
}

void set_children(void* node, void** children, unsigned count, void* /*user*/) {
  for (unsigned i = 0; i < count; ++i)
    static_cast<BuildInner*>(node)->child.at(i) = static_cast<BuildNode*>(children[i]);
}

void set_bounds(void* node, const RTCBounds** bounds, unsigned count, void* /*user*/) {
  for (unsigned i = 0; i < count; ++i) static_cast<BuildInner*>(node)->box.at(i) = to_box(*bounds[i]);
}

void* create_leaf(RTCThreadLocalAllocator allocator, const RTCBuildPrimitive* primitives, std::size_t count,
                  void* /*user*/) {
  auto* ids = static_cast<unsigned*>(rtcThreadLocalAlloc(allocator, count * sizeof(unsigned), 16));
  for (std::size_t i = 0; i < count; ++i) ids[i] = primitives[i].primID;
  return new (rtcThreadLocalAlloc(allocator, sizeof(BuildLeaf), 16))
      BuildLeaf{{true}, static_cast<unsigned>(count), ids};
}

Box triangle_box(const Mesh& mesh, std::size_t triangle) {
  Box box;
  for (const Vec3 corner : mesh.corners(triangle)) box.extend(corner);
  return box;
}

std::vector<RTCBuildPrimitive> build_primitives(const Mesh& mesh) {
  std::vector<RTCBuildPrimitive> primitives(mesh.triangle_count());
  for (std::size_t i = 0; i < primitives.size(); ++i) {
    const Box box = triangle_box(mesh, i);
    primitives[i] = {box.low.x, box.low.y, box.low.z, 0, box.high.x, box.high.y, box.high.z, static_cast<unsigned>(i)};
  }
  return primitives;
}

/// Walks the builder's tree depth first, first child first, which fixes the order of nodes and leaves.
class Flattener {
 public:
  Flattener(const Mesh& mesh, Bvh& bvh) : mesh_(mesh), bvh_(bvh) {
    const Box box = mesh.bounds();
    const Vec3 largest = max(max(box.high, -box.high), max(box.low, -box.low));
    pad_ = std::max(std::ldexp(max_component(largest), -20), std::numeric_limits<float>::min());
  }

  void flatten(const BuildNode& root) {
    if (root.leaf) {
      // A tree of one leaf still gets an inner root; its other child is an empty leaf in the same box.
      const int leaf = add_leaf(static_cast<const BuildLeaf&>(root));
      BvhNode node{};
      node.child0 = leaf;
      node.child1 = add_leaf({{true}, 0, nullptr});
      const Box box = mesh_.bounds();
      write_boxes(node, {box, box});
      bvh_.nodes.push_back(node);
      bvh_.depth = 1;
      return;
    }
    add_inner(static_cast<const BuildInner&>(root), 1);
  }

 private:
  int add_child(const BuildNode& node, int depth) {
    return node.leaf ? add_leaf(static_cast<const BuildLeaf&>(node))
                     : add_inner(static_cast<const BuildInner&>(node), depth);
  }

  // Recursion is as deep as the tree, which the builder bounds.
  // NOLINTNEXTLINE(misc-no-recursion)
  int add_inner(const BuildInner& inner, int depth) {
    bvh_.depth = std::max(bvh_.depth, depth);
    const auto index = bvh_.nodes.size();
    bvh_.nodes.push_back({});
    BvhNode node{};
    write_boxes(node, inner.box);
    node.child0 = add_child(*inner.child[0], depth + 1);
    node.child1 = add_child(*inner.child[1], depth + 1);
    bvh_.nodes[index] = node;
    return static_cast<int>(index);
  }

  int add_leaf(const BuildLeaf& leaf) {
    const int first = static_cast<int>(bvh_.rows.size());
    for (const unsigned triangle : std::span(leaf.triangles, leaf.count)) {
      for (const auto& row : std::bit_cast<std::array<TriangleRow, 3>>(woop_triangle(mesh_.corners(triangle)))) {
        bvh_.rows.push_back(row);
        bvh_.triangle_of_row.push_back(-1);
      }
      bvh_.triangle_of_row[bvh_.rows.size() - 3] = static_cast<int>(triangle);
    }
    bvh_.rows.push_back({std::bit_cast<float>(leaf_end_bits), 0.0F, 0.0F, 0.0F});
    bvh_.triangle_of_row.push_back(-1);
    ++bvh_.leaves;
    return ~first;
  }

  void write_boxes(BvhNode& node, std::array<Box, 2> box) const {
    for (Box& b : box) b = {b.low - Vec3{pad_, pad_, pad_}, b.high + Vec3{pad_, pad_, pad_}};
    node.c0_lo_x = box[0].low.x, node.c0_hi_x = box[0].high.x;
    node.c0_lo_y = box[0].low.y, node.c0_hi_y = box[0].high.y;
    node.c0_lo_z = box[0].low.z, node.c0_hi_z = box[0].high.z;
    node.c1_lo_x = box[1].low.x, node.c1_hi_x = box[1].high.x;
    node.c1_lo_y = box[1].low.y, node.c1_hi_y = box[1].high.y;
    node.c1_lo_z = box[1].low.z, node.c1_hi_z = box[1].high.z;
  }

  const Mesh& mesh_;
  Bvh& bvh_;
  float pad_;
};

}  // namespace

Bvh build_bvh(const Mesh& mesh, const BvhOptions& options) {
  if (mesh.triangles.empty()) throw InputError({mesh.name}, "cannot build a BVH over no triangles");
  if (options.max_leaf_size < 1 || options.max_leaf_size > RTC_BUILD_MAX_PRIMITIVES_PER_LEAF) {
    throw InputError({mesh.name}, fmt::format("BVH leaves of {} triangles", options.max_leaf_size),
                     fmt::format("give 1 to {}", static_cast<int>(RTC_BUILD_MAX_PRIMITIVES_PER_LEAF)));
  }
  if (mesh.triangle_count() > static_cast<std::size_t>(std::numeric_limits<int>::max()) / 4) {
    throw InputError({mesh.name}, "more triangles than a 32-bit row index reaches");
  }
  const EmbreeDevice device = make_embree_device();
  const std::unique_ptr<std::remove_pointer_t<RTCBVH>, decltype(&rtcReleaseBVH)> tree(rtcNewBVH(device.get()),
                                                                                      &rtcReleaseBVH);
  std::vector<RTCBuildPrimitive> primitives = build_primitives(mesh);
  RTCBuildArguments arguments = rtcDefaultBuildArguments();
  arguments.buildQuality = RTC_BUILD_QUALITY_MEDIUM;
  arguments.maxBranchingFactor = 2;
  arguments.maxDepth = 48;
  arguments.minLeafSize = 1;
  arguments.maxLeafSize = static_cast<unsigned>(options.max_leaf_size);
  arguments.traversalCost = options.traversal_cost;
  arguments.intersectionCost = options.intersection_cost;
  arguments.bvh = tree.get();
  arguments.primitives = primitives.data();
  arguments.primitiveCount = primitives.size();
  arguments.primitiveArrayCapacity = primitives.size();
  arguments.createNode = create_node;
  arguments.setNodeChildren = set_children;
  arguments.setNodeBounds = set_bounds;
  arguments.createLeaf = create_leaf;
  const auto* root = static_cast<const BuildNode*>(rtcBuildBVH(&arguments));
  if (root == nullptr) {
    throw ExecutionError(fmt::format("Embree could not build a BVH over {} triangles", primitives.size()));
  }
  Bvh bvh;
  Flattener(mesh, bvh).flatten(*root);
  return bvh;
}

WoopTriangle woop_triangle(const std::array<Vec3, 3>& corners) {
  using Double3 = std::array<double, 3>;
  const auto minus = [](Vec3 a, Vec3 b) { return Double3{double(a.x) - b.x, double(a.y) - b.y, double(a.z) - b.z}; };
  const auto outer = [](const Double3& a, const Double3& b) {
    return Double3{a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
  };
  const auto inner = [](const Double3& a, const Double3& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; };
  const Double3 e1 = minus(corners[1], corners[0]);
  const Double3 e2 = minus(corners[2], corners[0]);
  const Double3 normal = outer(e1, e2);
  const double area_squared = inner(normal, normal);
  const Double3 base = minus(corners[0], {});
  // p = a + u e1 + v e2 + w n: the dual basis reads u, v and w from p - a.
  const auto row = [&](const Double3& direction, double sign, float(&out)[4]) {
    for (std::size_t i = 0; i < 3; ++i) out[i] = static_cast<float>(direction[i] / area_squared);
    out[3] = static_cast<float>(sign * inner(direction, base) / area_squared);
  };
  WoopTriangle triangle{};
  row(normal, 1.0, triangle.row0);
  row(outer(e2, normal), -1.0, triangle.row1);
  row(outer(normal, e1), -1.0, triangle.row2);
  // Minus zero is the end marker.
  if (std::bit_cast<unsigned>(triangle.row0[0]) == leaf_end_bits) triangle.row0[0] = 0.0F;
  return triangle;
}

}  // namespace reconverge::scenes
