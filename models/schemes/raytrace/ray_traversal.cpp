// SPDX-License-Identifier: Apache-2.0
#include "models/schemes/raytrace/ray_traversal.hpp"

#include <array>
#include <bit>
#include <cmath>
#include <span>
#include <stdexcept>

namespace reconverge {

namespace {

using scenes::BvhNode;
using scenes::Hit;
using scenes::Ray;

// Greater than the number of every inner node.
constexpr int nothing_left = 0x7fffffff;
constexpr std::size_t stack_entries = 64;
// More than any ray needs in a tree that fits a GPU's memory, unless the tree has a cycle.
constexpr std::uint32_t most_fetches = 1U << 22U;

// PTX's min.f32 and max.f32 return a number rather than a NaN. They also order -0 before +0, but results here are only
// compared, so the sign of a zero does not matter. These functions have no branches, because the host could not predict
// them.
float least(float a, float b) {
  const float found = b < a ? b : a;
  return std::isnan(a) ? b : found;
}
float greatest(float a, float b) {
  const float found = b > a ? b : a;
  return std::isnan(a) ? b : found;
}

/// Reciprocal of a direction that is kept away from zero, so that no product of the box test is NaN.
float reciprocal_of(float direction) {
  const float smallest = std::copysign(0x1p-80F, direction);
  return 1.0F / (std::abs(direction) > 0x1p-80F ? direction : smallest);
}

struct Span {
  float enter, leave;
  bool met() const { return enter <= leave; }
};

class Traversal {
 public:
  Traversal(kernel::ExtensionThread& thread, const TracedTree& tree, const Ray& ray)
      : thread_(thread), tree_(tree), ray_(ray), hit_{-1, ray.t_max, 0.0F, 0.0F} {
    for (std::size_t axis = 0; axis < 3; ++axis) {
      inverse_[axis] = reciprocal_of(ray.direction[axis]);
      offset_[axis] = -ray.origin[axis] * inverse_[axis];
    }
  }

  Hit run(bool any) {
    int node = 0;
    while (node != nothing_left) {
      if (node >= 0) {
        node = visit(node);
        continue;
      }
      test_leaf(~node, any);
      if (any && hit_.triangle >= 0) break;
      node = pop();
    }
    if (hit_.triangle >= 0 && tree_.triangle_of_row != 0) {
      const auto row = static_cast<std::uint64_t>(hit_.triangle);
      hit_.triangle = fetched<int>(tree_.triangle_of_row + row * sizeof(int), TraceFetch::number);
    }
    return hit_;
  }

 private:
  using Row = std::array<float, 4>;

  template <typename T>
  T read(std::uint64_t address) {
    T value;
    thread_.read(address, std::as_writable_bytes(std::span(&value, 1)));
    return value;
  }
  void fetch(std::uint64_t address, std::size_t bytes, TraceFetch purpose) {
    if (++fetches_ > most_fetches) throw std::domain_error("a ray does not end: the tree has a cycle");
    thread_.fetch(address, static_cast<std::uint32_t>(bytes), static_cast<std::uint8_t>(purpose));
  }
  template <typename T>
  T fetched(std::uint64_t address, TraceFetch purpose) {
    fetch(address, sizeof(T), purpose);
    return read<T>(address);
  }

  int pop() { return depth_ == 0 ? nothing_left : stack_[--depth_]; }

  Span span_of(const Row& xy, float low_z, float high_z) const {
    const auto at = [this](float plane, std::size_t axis) { return std::fma(plane, inverse_[axis], offset_[axis]); };
    const float ax = at(xy[0], 0);
    const float bx = at(xy[1], 0);
    const float ay = at(xy[2], 1);
    const float by = at(xy[3], 1);
    const float az = at(low_z, 2);
    const float bz = at(high_z, 2);
    const float enter = greatest(least(ax, bx), least(ay, by));
    const float leave = least(greatest(ax, bx), greatest(ay, by));
    return {greatest(enter, greatest(least(az, bz), ray_.t_min)), least(leave, least(greatest(az, bz), hit_.t))};
  }

  /// Returns the next node: the nearer child (the farther one is pushed), the only child that is hit, or a node from
  /// the stack.
  int visit(int index) {
    const auto node =
        fetched<BvhNode>(tree_.nodes + static_cast<std::uint64_t>(index) * sizeof(BvhNode), TraceFetch::node);
    const Span first = span_of({node.c0_lo_x, node.c0_hi_x, node.c0_lo_y, node.c0_hi_y}, node.c0_lo_z, node.c0_hi_z);
    const Span second = span_of({node.c1_lo_x, node.c1_hi_x, node.c1_lo_y, node.c1_hi_y}, node.c1_lo_z, node.c1_hi_z);
    if (!first.met() && !second.met()) return pop();
    if (!first.met()) return node.child1;
    if (!second.met()) return node.child0;
    if (depth_ + 1 == stack_entries) throw std::domain_error("the tree is deeper than 63");
    const bool second_first = second.enter < first.enter;
    stack_[depth_++] = second_first ? node.child0 : node.child1;
    return second_first ? node.child1 : node.child0;
  }

  void test_leaf(int row, bool any) {
    const auto address = [&] { return tree_.triangle_rows + static_cast<std::uint64_t>(row) * sizeof(Row); };
    const auto ends = [](const Row& one) { return std::bit_cast<std::uint32_t>(one[0]) == scenes::leaf_end_bits; };
    if (ends(read<Row>(address()))) return fetch(address(), sizeof(Row), TraceFetch::empty_leaf);
    for (bool more = true; more; row += 3) {
      const auto rows = fetched<std::array<Row, 4>>(address(), TraceFetch::triangle);
      test_triangle(row, rows);
      if (any && hit_.triangle >= 0) return;
      more = !ends(rows[3]);
    }
  }

  /// Origin and direction of the ray along the axis of a row.
  float origin_on(const Row& row) const {
    return std::fma(ray_.origin[0], row[0], std::fma(ray_.origin[1], row[1], std::fma(ray_.origin[2], row[2], row[3])));
  }
  float speed_on(const Row& row) const {
    return std::fma(ray_.direction[0], row[0], std::fma(ray_.direction[1], row[1], ray_.direction[2] * row[2]));
  }

  /// Woop's test, which stops as soon as it fails. A nearer hit replaces the previous one.
  void test_triangle(int row, const std::array<Row, 4>& rows) {
    const Row& plane = rows[0];
    const float distance = std::fma(-ray_.origin[0], plane[0],
                                    std::fma(-ray_.origin[1], plane[1], std::fma(-ray_.origin[2], plane[2], plane[3])));
    const float t = distance * (1.0F / speed_on(plane));
    if (!(t > ray_.t_min && t < hit_.t)) return;
    const float u = std::fma(t, speed_on(rows[1]), origin_on(rows[1]));
    if (!(u >= 0.0F)) return;
    const float v = std::fma(t, speed_on(rows[2]), origin_on(rows[2]));
    if (!(v >= 0.0F && u + v <= 1.0F)) return;
    hit_ = {row, t, u, v};
  }

  kernel::ExtensionThread& thread_;
  const TracedTree& tree_;
  const Ray& ray_;
  std::array<float, 3> inverse_{};
  std::array<float, 3> offset_{};
  Hit hit_;  // until the traversal ends, `triangle` is the number of its first row
  std::array<int, stack_entries> stack_{};
  std::size_t depth_ = 0;
  std::uint32_t fetches_ = 0;
};

}  // namespace

Hit traverse(kernel::ExtensionThread& thread, const TracedTree& tree, std::uint64_t ray, bool any) {
  Ray record{};
  thread.read(ray, std::as_writable_bytes(std::span(&record, 1)));
  thread.fetch(ray, sizeof(Ray), static_cast<std::uint8_t>(TraceFetch::ray));
  return Traversal(thread, tree, record).run(any);
}

}  // namespace reconverge
