// SPDX-License-Identifier: Apache-2.0
#include "scenes/structures/bvh.hpp"

#include <embree3/rtcore.h>
#include <fmt/format.h>

#include <memory>
#include <new>
#include <span>

#include "models/core/error.hpp"
#include "models/core/host_error.hpp"
#include "scenes/structures/bvh_writer.hpp"
#include "scenes/structures/embree_handle.hpp"
#include "scenes/structures/triangle_box.hpp"

namespace reconverge::scenes {

namespace {

/// The output of Embree's builder; it is in Embree's own allocator and is flattened at once.
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

/// Embree's allocation returns null if memory is exhausted. Embree catches exceptions from its callbacks.
void* allocate(RTCThreadLocalAllocator allocator, std::size_t bytes) {
  void* const place = rtcThreadLocalAlloc(allocator, bytes, 16);
  if (place == nullptr) throw std::bad_alloc();
  return place;
}

void* create_node(RTCThreadLocalAllocator allocator, unsigned /*children*/, void* /*user*/) {
  return new (allocate(allocator, sizeof(BuildInner))) BuildInner{{false}, {}, {}};
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
  auto* ids = static_cast<unsigned*>(allocate(allocator, count * sizeof(unsigned)));
  for (std::size_t i = 0; i < count; ++i) ids[i] = primitives[i].primID;
  return new (allocate(allocator, sizeof(BuildLeaf))) BuildLeaf{{true}, static_cast<unsigned>(count), ids};
}

std::vector<RTCBuildPrimitive> build_primitives(const Mesh& mesh) {
  std::vector<RTCBuildPrimitive> primitives(mesh.triangle_count());
  for (std::size_t i = 0; i < primitives.size(); ++i) {
    const Box box = bounds_of(mesh.corners(i));
    primitives[i] = {box.low.x, box.low.y, box.low.z, 0, box.high.x, box.high.y, box.high.z, static_cast<unsigned>(i)};
  }
  return primitives;
}

/// Walks the builder's tree depth first, first child first, which fixes the order of nodes and leaves.
class Flattener {
 public:
  explicit Flattener(const Mesh& mesh) : writer_(mesh) {}

  Bvh flatten(const BuildNode& root) {
    if (root.leaf) {
      writer_.add_only_leaf(triangles(root));
    } else {
      add_inner(static_cast<const BuildInner&>(root), 1);
    }
    return writer_.take();
  }

 private:
  static std::span<const unsigned> triangles(const BuildNode& node) {
    const auto& leaf = static_cast<const BuildLeaf&>(node);
    return {leaf.triangles, leaf.count};
  }

  int add_child(const BuildNode& node, int depth) {
    return node.leaf ? writer_.add_leaf(triangles(node)) : add_inner(static_cast<const BuildInner&>(node), depth);
  }

  // Recursion is as deep as the tree, whose depth the builder bounds.
  // NOLINTNEXTLINE(misc-no-recursion)
  int add_inner(const BuildInner& inner, int depth) {
    const int index = writer_.add_node(depth);
    const int first = add_child(*inner.child[0], depth + 1);
    const int second = add_child(*inner.child[1], depth + 1);
    writer_.set_node(index, inner.box, {first, second});
    return index;
  }

  BvhWriter writer_;
};

}  // namespace

Bvh build_bvh(const Mesh& mesh, const BvhOptions& options) {
  Flattener flattener(mesh);
  if (options.max_leaf_size < 1 || options.max_leaf_size > RTC_BUILD_MAX_PRIMITIVES_PER_LEAF) {
    throw InputError({mesh.name}, fmt::format("BVH leaves of {} triangles", options.max_leaf_size),
                     fmt::format("give 1 to {}", static_cast<int>(RTC_BUILD_MAX_PRIMITIVES_PER_LEAF)));
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
    check(device, "building a BVH");
    throw HostError(fmt::format("Embree could not build a BVH over {} triangles", primitives.size()));
  }
  return flattener.flatten(*root);
}

}  // namespace reconverge::scenes
