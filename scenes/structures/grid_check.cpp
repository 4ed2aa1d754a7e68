// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <span>
#include <stdexcept>

#include "scenes/structures/bvh.hpp"
#include "scenes/structures/grid.hpp"
#include "scenes/structures/triangle_box.hpp"

namespace reconverge::scenes {

namespace {

[[noreturn]] void fail(const std::string& message) { throw std::logic_error("grid: " + message); }

class Checker {
 public:
  Checker(const Grid& grid, const Mesh& mesh) : grid_(grid), mesh_(mesh) {
    const Box box = mesh.bounds();
    const double largest = max_component(max(max(box.high, -box.high), max(box.low, -box.low)));
    inside_ = -std::ldexp(largest, -22);
    near_ = std::ldexp(largest, -20);
  }

  void run() const {
    check_arrays();
    std::size_t expected = 0;
    for (std::size_t i = 0; i < mesh_.triangle_count(); ++i) expected += entries_of(i);
    if (expected != grid_.cell_triangles.size())
      fail(fmt::format("{} entries, of which {} are near their triangles", grid_.cell_triangles.size(), expected));
  }

 private:
  void check_arrays() const {
    const auto [x, y, z] = grid_.resolution();
    if (x < 1 || y < 1 || z < 1) fail("an axis has no cells");
    if (grid_.first.size() != std::size_t(x) * std::size_t(y) * std::size_t(z) + 1)
      fail(fmt::format("{} offsets for {} x {} x {} cells", grid_.first.size(), x, y, z));
    if (grid_.first.front() != 0 || grid_.first.back() != grid_.cell_triangles.size())
      fail("the lists of the cells do not cover the entries");
    if (grid_.triangles.size() != mesh_.triangle_count())
      fail(fmt::format("{} triangles of {}", grid_.triangles.size(), mesh_.triangle_count()));
    for (std::size_t cell = 0; cell < grid_.cells(); ++cell) {
      if (grid_.first[cell] > grid_.first[cell + 1])
        fail(fmt::format("the list of cell {} ends before it begins", cell));
    }
    for (std::size_t cell = 0; cell < grid_.cells(); ++cell) {
      const auto list = list_of(cell);
      for (std::size_t i = 0; i < list.size(); ++i) {
        if (list[i] < 0 || static_cast<std::size_t>(list[i]) >= mesh_.triangle_count())
          fail(fmt::format("cell {} names triangle {}", cell, list[i]));
        if (i > 0 && list[i] <= list[i - 1]) fail(fmt::format("the list of cell {} does not ascend", cell));
      }
    }
    using Bits = std::array<std::array<unsigned, 4>, 3>;
    for (std::size_t i = 0; i < grid_.triangles.size(); ++i) {
      if (std::bit_cast<Bits>(grid_.triangles[i]) != std::bit_cast<Bits>(woop_triangle(mesh_.corners(i))))
        fail(fmt::format("the rows of triangle {} are not its own", i));
    }
  }

  std::span<const int> list_of(std::size_t cell) const {
    return std::span<const int>(grid_.cell_triangles)
        .subspan(grid_.first[cell], grid_.first[cell + 1] - grid_.first[cell]);
  }

  /// The number of cells near a triangle that list it; checks that all cells whose interior it intersects do. A
  /// triangle in the plane between two cells intersects neither interior: then either may list it.
  std::size_t entries_of(std::size_t triangle) const {
    const Corners corners = mesh_.corners(triangle);
    const Box own = bounds_of(corners);
    const std::array<int, 3> resolution = grid_.resolution();
    std::array<std::array<int, 2>, 3> range{};
    std::size_t flat = 3;
    for (std::size_t axis = 0; axis < 3; ++axis) {
      const auto cell_at = [&](float at, double more) {
        const double place = (double(at) - grid_.frame.low[axis]) / grid_.frame.cell[axis] + more;
        return static_cast<int>(std::clamp(place, 0.0, resolution[axis] - 1.0));
      };
      range[axis] = {cell_at(component(own.low, axis), -1.5), cell_at(component(own.high, axis), 1.5)};
      if (component(own.low, axis) == component(own.high, axis)) flat = axis;
    }
    std::size_t found = 0;
    const auto lists = [&](const std::array<int, 3>& at) {
      const auto list = list_of(cell_number(grid_.frame, at));
      return std::binary_search(list.begin(), list.end(), static_cast<int>(triangle));
    };
    for (int x = range[0][0]; x <= range[0][1]; ++x) {
      for (int y = range[1][0]; y <= range[1][1]; ++y) {
        for (int z = range[2][0]; z <= range[2][1]; ++z) {
          const std::array<int, 3> at{x, y, z};
          const Box box = cell_box(grid_, at);
          if (lists(at)) {
            if (!overlaps(corners, box, {near_, near_, near_}))
              fail(fmt::format("triangle {} is in cell {}, which it does not meet", triangle,
                               cell_number(grid_.frame, at)));
            ++found;
            continue;
          }
          std::array<double, 3> slack{inside_, inside_, inside_};
          if (flat < 3) slack[flat] = -inside_;
          if (!overlaps(corners, box, slack)) continue;
          if (flat < 3 && beside_lists(at, flat, component(corners[0], flat), box, lists)) continue;
          fail(fmt::format("triangle {} is missing from cell {}", triangle, cell_number(grid_.frame, at)));
        }
      }
    }
    return found;
  }

  /// Whether the cell across the face that a triangle lies in, up to rounding, lists it.
  template <typename Lists>
  bool beside_lists(std::array<int, 3> at, std::size_t axis, float plane, const Box& box, const Lists& lists) const {
    if (std::abs(double(plane) - component(box.low, axis)) <= near_) {
      --at[axis];
    } else if (std::abs(double(plane) - component(box.high, axis)) <= near_) {
      ++at[axis];
    } else {
      return false;
    }
    return at[axis] >= 0 && at[axis] < grid_.resolution()[axis] && lists(at);
  }

  const Grid& grid_;
  const Mesh& mesh_;
  double inside_ = 0.0;
  double near_ = 0.0;
};

}  // namespace

std::size_t size_in_memory(const Grid& grid) {
  return sizeof(GridFrame) + (grid.first.size() + grid.cell_triangles.size()) * sizeof(int) +
         grid.triangles.size() * sizeof(WoopTriangle);
}

void check_grid(const Grid& grid, const Mesh& mesh) { Checker(grid, mesh).run(); }

}  // namespace reconverge::scenes
