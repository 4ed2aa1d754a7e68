// SPDX-License-Identifier: Apache-2.0
#include "scenes/structures/kd_tree.hpp"

#include <fmt/format.h>

#include <atomic>
#include <bit>
#include <cstdint>
#include <future>
#include <limits>
#include <span>

#include "models/core/error.hpp"
#include "scenes/structures/bvh.hpp"
#include "scenes/structures/triangle_box.hpp"

namespace reconverge::scenes {

namespace {

/// Whether an event is the start or end of a triangle's part in a voxel along an axis, or all of a planar part.
enum class EventKind : std::uint32_t { end, planar, start };

struct Event {
  float position;
  std::uint32_t bits;  ///< kind in the upper two bits, then the triangle: the order that a sweep needs

  EventKind kind() const { return static_cast<EventKind>(bits >> 30U); }
  std::uint32_t triangle() const { return bits & 0x3FFFFFFFU; }
  bool operator<(const Event& other) const {
    return position < other.position || (position == other.position && bits < other.bits);
  }
};
using EventLists = std::array<std::vector<Event>, 3>;

void add_events(EventLists& lists, std::uint32_t triangle, const Box& bounds) {
  const auto event = [triangle](float position, EventKind kind) {
    return Event{position, (static_cast<std::uint32_t>(kind) << 30U) | triangle};
  };
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const float low = component(bounds.low, axis);
    const float high = component(bounds.high, axis);
    if (low == high) {
      lists[axis].push_back(event(low, EventKind::planar));
    } else {
      lists[axis].push_back(event(low, EventKind::start));
      lists[axis].push_back(event(high, EventKind::end));
    }
  }
}

void sort(EventLists& lists) {
  for (auto& list : lists) std::sort(list.begin(), list.end());
}

std::array<Box, 2> split(const Box& voxel, std::size_t axis, float plane) {
  std::array<Box, 2> halves{voxel, voxel};
  set_component(halves[0].high, axis, plane);
  set_component(halves[1].low, axis, plane);
  return halves;
}

struct Plane {
  double cost = std::numeric_limits<double>::infinity();
  std::size_t axis = 0;
  float position = 0.0F;
  bool planar_below = false;  ///< triangles that lie in the plane go to the lower side
};

/// Data shared by all builders of one tree.
struct Task {
  const Mesh& mesh;
  const KdOptions& options;
  int max_depth;
  double margin;  ///< of clipping
};

/// A subtree, its nodes numbered from its own root.
struct Part {
  std::vector<KdNode> nodes;
  std::vector<int> leaf_triangles;
  int depth = 0;
  std::size_t leaves = 0;
  std::size_t empty_leaves = 0;
};

/// A subtree to be built later, and the node that it replaces.
struct Pending {
  std::size_t node = 0;
  Box voxel;
  std::size_t count = 0;
  int depth = 0;
  EventLists events;
};

/// Builds a subtree from sorted events. The events of nodes yet to be built are on a stack for each axis; those of the
/// current node are on top.
class Builder {
 public:
  /// Subtrees of fewer triangles than `defer_below` become `pending`.
  Builder(const Task& task, std::size_t defer_below)
      : task_(task), defer_below_(defer_below), side_(task.mesh.triangle_count()) {}

  void build(Pending root) {
    events_ = std::move(root.events);
    part_.nodes.push_back({});
    build_node(0, root.voxel, {0, 0, 0}, root.count, root.depth);
  }

  Part part_;
  std::vector<Pending> pending_;

 private:
  enum Side : std::uint8_t { below, above, both };
  using Begins = std::array<std::size_t, 3>;

  // NOLINTNEXTLINE(misc-no-recursion): the depth is bounded
  void build_node(std::size_t node, const Box& voxel, const Begins& begins, std::size_t count, int depth) {
    if (count < defer_below_) {
      pending_.push_back({node, voxel, count, depth, {}});
      for (std::size_t axis = 0; axis < 3; ++axis) {
        const auto mine = of_node(axis, begins);
        pending_.back().events[axis].assign(mine.begin(), mine.end());
      }
    } else {
      const Plane plane = depth < task_.max_depth ? best_plane(voxel, begins, count) : Plane{};
      if (plane.cost < double(task_.options.intersection_cost) * static_cast<double>(count)) {
        build_inner(node, voxel, begins, plane, depth);
      } else {
        build_leaf(node, begins);
      }
    }
    for (std::size_t axis = 0; axis < 3; ++axis) events_[axis].resize(begins[axis]);
  }

  // NOLINTNEXTLINE(misc-no-recursion): the depth is bounded
  void build_inner(std::size_t node, const Box& voxel, const Begins& begins, const Plane& plane, int depth) {
    part_.depth = std::max(part_.depth, depth + 1);
    const std::size_t child = part_.nodes.size();
    part_.nodes.resize(child + 2);
    part_.nodes[node] = {static_cast<unsigned>(child << 2U | plane.axis), std::bit_cast<unsigned>(plane.position)};
    const std::array<Box, 2> halves = split(voxel, plane.axis, plane.position);
    const std::array<std::size_t, 2> counts = classify(begins, plane, halves);
    const Begins first{events_[0].size(), events_[1].size(), events_[2].size()};
    for (std::size_t axis = 0; axis < 3; ++axis) push(axis, begins[axis], first[axis], above);
    const Begins second{events_[0].size(), events_[1].size(), events_[2].size()};
    for (std::size_t axis = 0; axis < 3; ++axis) push(axis, begins[axis], first[axis], below);
    build_node(child, halves[0], second, counts[0], depth + 1);
    build_node(child + 1, halves[1], first, counts[1], depth + 1);
  }

  void build_leaf(std::size_t node, const Begins& begins) {
    const std::size_t first = part_.leaf_triangles.size();
    for (const Event& event : of_node(0, begins)) {
      if (event.kind() != EventKind::end) part_.leaf_triangles.push_back(static_cast<int>(event.triangle()));
    }
    std::sort(part_.leaf_triangles.begin() + static_cast<std::ptrdiff_t>(first), part_.leaf_triangles.end());
    const std::size_t count = part_.leaf_triangles.size() - first;
    part_.nodes[node] = {static_cast<unsigned>(first << 2U) | kd_leaf, static_cast<unsigned>(count)};
    ++part_.leaves;
    part_.empty_leaves += count == 0 ? 1 : 0;
  }

  std::span<const Event> of_node(std::size_t axis, const Begins& begins) const {
    return std::span<const Event>(events_[axis]).subspan(begins[axis]);
  }

  /// Sweeps all three axes over every position at which a count changes.
  Plane best_plane(const Box& voxel, const Begins& begins, std::size_t count) const {
    Plane best;
    const double whole = half_area(voxel);
    for (std::size_t axis = 0; axis < 3; ++axis) {
      const float low = component(voxel.low, axis);
      const float high = component(voxel.high, axis);
      const auto events = of_node(axis, begins);
      std::size_t lower = 0;
      std::size_t upper = count;
      for (std::size_t i = 0; i < events.size();) {
        const float position = events[i].position;
        std::array<std::size_t, 3> here{};
        for (; i < events.size() && events[i].position == position; ++i)
          ++here[static_cast<std::size_t>(events[i].kind())];
        const auto [ends, planar, starts] = here;
        upper -= planar + ends;
        if (position > low && position < high) {
          const auto halves = split(voxel, axis, position);
          const double share0 = half_area(halves[0]) / whole;
          const double share1 = half_area(halves[1]) / whole;
          const double cost_below = cost(share0, lower + planar, share1, upper);
          const double cost_above = cost(share0, lower, share1, upper + planar);
          if (std::min(cost_below, cost_above) < best.cost)
            best = {std::min(cost_below, cost_above), axis, position, cost_below <= cost_above};
        }
        lower += starts + planar;
      }
    }
    return best;
  }

  double cost(double share0, std::size_t count0, double share1, std::size_t count1) const {
    const KdOptions& options = task_.options;
    const double tests = share0 * static_cast<double>(count0) + share1 * static_cast<double>(count1);
    const double full = double(options.traversal_cost) + double(options.intersection_cost) * tests;
    return count0 == 0 || count1 == 0 ? full * (1.0 - double(options.empty_bonus)) : full;
  }

  /// Finds the side of every triangle and makes new events of those on both. Returns how many each child gets.
  std::array<std::size_t, 2> classify(const Begins& begins, const Plane& plane, const std::array<Box, 2>& halves) {
    const auto events = of_node(plane.axis, begins);
    for (const Event& event : events) side_[event.triangle()] = both;
    for (const Event& event : events) {
      const bool in_plane = event.kind() == EventKind::planar && event.position == plane.position;
      if (event.kind() != EventKind::start && (in_plane ? plane.planar_below : event.position <= plane.position)) {
        side_[event.triangle()] = below;
      } else if (event.kind() != EventKind::end && event.position >= plane.position) {
        side_[event.triangle()] = above;
      }
    }
    std::array<std::size_t, 2> counts{};
    for (auto& lists : fresh_) {
      for (auto& list : lists) list.clear();
    }
    for (const Event& event : events) {
      if (event.kind() == EventKind::end) continue;
      const std::uint32_t triangle = event.triangle();
      if (side_[triangle] != both) {
        ++counts[side_[triangle]];
        continue;
      }
      for (std::size_t half = 0; half < 2; ++half) {
        const Box bounds = clipped_bounds(task_.mesh.corners(triangle), halves[half], task_.margin);
        if (bounds.empty()) continue;
        add_events(fresh_[half], triangle, bounds);
        ++counts[half];
      }
    }
    for (auto& lists : fresh_) sort(lists);
    return counts;
  }

  /// Pushes the events of one child: the parent's events between `begin` and `end` that are only on this side, and the
  /// new ones. Both are sorted.
  void push(std::size_t axis, std::size_t begin, std::size_t end, Side side) {
    auto& stack = events_[axis];
    auto fresh = fresh_[side][axis].cbegin();
    const auto last = fresh_[side][axis].cend();
    for (std::size_t i = begin; i < end; ++i) {
      const Event event = stack[i];
      if (side_[event.triangle()] != side) continue;
      for (; fresh != last && *fresh < event; ++fresh) stack.push_back(*fresh);
      stack.push_back(event);
    }
    stack.insert(stack.end(), fresh, last);
  }

  const Task& task_;
  std::size_t defer_below_;
  std::vector<Side> side_;  ///< of every triangle of the mesh; valid only for those of the current node
  EventLists events_;
  std::array<EventLists, 2> fresh_;
};

/// Appends a subtree: its root replaces `node`, all other nodes go to the end.
void splice(KdTree& tree, std::size_t node, const Part& part) {
  const std::size_t nodes_before = tree.nodes.size() - 1;  // The part's root is not among those appended.
  const std::size_t entries_before = tree.leaf_triangles.size();
  for (std::size_t i = 0; i < part.nodes.size(); ++i) {
    KdNode moved = part.nodes[i];
    moved.bits += static_cast<unsigned>((kd::is_leaf(moved) ? entries_before : nodes_before) << 2U);
    if (i == 0) {
      tree.nodes[node] = moved;
    } else {
      tree.nodes.push_back(moved);
    }
  }
  tree.leaf_triangles.insert(tree.leaf_triangles.end(), part.leaf_triangles.begin(), part.leaf_triangles.end());
  tree.depth = std::max(tree.depth, part.depth);
  tree.leaves += part.leaves;
  tree.empty_leaves += part.empty_leaves;
}

void check_options(const Mesh& mesh, const KdOptions& options) {
  if (mesh.triangles.empty()) throw InputError({mesh.name}, "cannot build a kd-tree over no triangles");
  if (mesh.triangle_count() >= std::size_t{1} << 26U)
    throw InputError({mesh.name}, "more triangles than a kd-tree's 30-bit indices reach", "give less than 2^26");
  if (!(options.traversal_cost > 0.0F && options.intersection_cost > 0.0F))
    throw InputError({mesh.name}, "a cost of the kd-tree's heuristic is not above zero");
  if (!(options.empty_bonus >= 0.0F && options.empty_bonus < 1.0F))
    throw InputError({mesh.name}, fmt::format("an empty bonus of {}", options.empty_bonus), "give 0 to below 1");
  if (options.max_depth < 0 || options.max_depth > 64)
    throw InputError({mesh.name}, fmt::format("a kd-tree of depth {}", options.max_depth),
                     "give 1 to 64, or 0 for a depth by the number of triangles");
}

}  // namespace

float kd::plane(const KdNode& node) { return std::bit_cast<float>(node.value); }

KdTree build_kd_tree(const Mesh& mesh, const KdOptions& options) {
  check_options(mesh, options);
  const std::size_t count = mesh.triangle_count();
  const Box box = mesh.bounds();
  const double largest = max_component(max(max(box.high, -box.high), max(box.low, -box.low)));
  const int usual_depth = static_cast<int>(std::lround(8.0 + 1.3 * std::log2(static_cast<double>(count))));
  const Task task{mesh, options, options.max_depth != 0 ? options.max_depth : usual_depth, std::ldexp(largest, -40)};

  KdTree tree;
  const float pad = std::max(static_cast<float>(std::ldexp(largest, -20)), std::numeric_limits<float>::min());
  tree.bounds = {box.low - Vec3{pad, pad, pad}, box.high + Vec3{pad, pad, pad}};
  Pending root{0, tree.bounds, count, 0, {}};
  for (std::size_t i = 0; i < count; ++i) {
    const Corners corners = mesh.corners(i);
    add_events(root.events, static_cast<std::uint32_t>(i), bounds_of(corners));
    tree.triangles.push_back(woop_triangle(corners));
  }
  sort(root.events);

  // Builds the upper levels sequentially, then the subtrees in parallel; the choice of subtrees depends only on the
  // mesh.
  Builder upper(task, std::max<std::size_t>(count / 16, 1000));
  upper.build(std::move(root));
  std::vector<Part> parts(upper.pending_.size());
  std::atomic<std::size_t> next = 0;
  const auto work = [&] {
    for (std::size_t i = next++; i < parts.size(); i = next++) {
      Builder lower(task, 0);
      lower.build(std::move(upper.pending_[i]));
      parts[i] = std::move(lower.part_);
    }
  };
  std::vector<std::future<void>> helpers;
  for (unsigned i = 1; i < options.threads && i < parts.size(); ++i)
    helpers.push_back(std::async(std::launch::async, work));
  work();
  for (auto& helper : helpers) helper.get();

  tree.nodes.push_back({});
  splice(tree, 0, upper.part_);
  for (std::size_t i = 0; i < parts.size(); ++i) splice(tree, upper.pending_[i].node, parts[i]);
  if (tree.nodes.size() >= std::size_t{1} << 30U || tree.leaf_triangles.size() >= std::size_t{1} << 30U)
    throw InputError({mesh.name}, "the kd-tree outgrew its 30-bit indices", "give a smaller depth");
  return tree;
}

}  // namespace reconverge::scenes
