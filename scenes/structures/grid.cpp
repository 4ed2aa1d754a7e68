// SPDX-License-Identifier: Apache-2.0
#include "scenes/structures/grid.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "models/core/error.hpp"
#include "scenes/structures/bvh.hpp"
#include "scenes/structures/triangle_box.hpp"

namespace reconverge::scenes {

namespace {

constexpr int most_cells_of_axis = 4096;
constexpr std::size_t most_cells = std::size_t{1} << 27U;

/// About `density` cubes for each triangle; an axis with almost no extent gets one cell.
std::array<int, 3> choose_resolution(const Vec3 size, double triangles, double density) {
  const double largest = max_component(size);
  const auto extent = [&](std::size_t axis) { return std::max(double(component(size, axis)), 1e-3 * largest); };
  const double volume = extent(0) * extent(1) * extent(2);
  const double cells_of_length = std::cbrt(density * triangles / volume);
  std::array<int, 3> resolution{};
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const double cells = std::round(double(component(size, axis)) * cells_of_length);
    resolution[axis] = static_cast<int>(std::clamp(cells, 1.0, 512.0));
  }
  return resolution;
}

/// Cells that a triangle may meet along one axis, first and last, one more than needed on each side.
std::array<int, 2> cells_near(float low, float high, float origin, float cell, int cells) {
  const auto number = [&](float at, double more) {
    const double place = std::floor((double(at) - origin) / cell) + more;
    return static_cast<int>(std::clamp(place, 0.0, double(cells) - 1.0));
  };
  return {number(low, -1.0), number(high, 1.0)};
}

void check_options(const Mesh& mesh, const GridOptions& options) {
  if (mesh.triangles.empty()) throw InputError({mesh.name}, "cannot build a grid over no triangles");
  const auto [x, y, z] = options.resolution;
  const bool chosen = x == 0 && y == 0 && z == 0;
  const auto good = [](int cells) { return cells >= 1 && cells <= most_cells_of_axis; };
  if (!chosen && (!good(x) || !good(y) || !good(z) || std::size_t(x) * std::size_t(y) * std::size_t(z) > most_cells)) {
    throw InputError({mesh.name}, fmt::format("a grid of {} x {} x {} cells", x, y, z),
                     fmt::format("give 1 to {} along each axis and {} in all", most_cells_of_axis, most_cells));
  }
  if (!(options.density > 0.0F && options.density <= 1000.0F))
    throw InputError({mesh.name}, fmt::format("a grid of {} cells a triangle", options.density),
                     "give a number above 0, up to 1000");
}

}  // namespace

std::size_t Grid::occupied_cells() const {
  std::size_t occupied = 0;
  for (std::size_t cell = 0; cell < cells(); ++cell) occupied += first[cell] != first[cell + 1] ? 1 : 0;
  return occupied;
}

GridFrame grid_frame(const Box& bounds, const std::array<int, 3>& resolution, Vec3 cell) {
  const float largest = max_component(max(max(bounds.high, -bounds.high), max(bounds.low, -bounds.low)));
  const float pad = std::max(std::ldexp(largest, -20), std::numeric_limits<float>::min());
  const Vec3 low = bounds.low - Vec3{pad, pad, pad};
  const Vec3 high = bounds.high + Vec3{pad, pad, pad};
  return {{bounds.low.x, bounds.low.y, bounds.low.z},
          resolution[0],
          {cell.x, cell.y, cell.z},
          resolution[1],
          {low.x, low.y, low.z},
          resolution[2],
          {high.x, high.y, high.z},
          0};
}

std::size_t cell_number(const GridFrame& frame, const std::array<int, 3>& at) {
  const auto wide = [](int value) { return static_cast<std::size_t>(value); };
  return (wide(at[0]) * wide(frame.cells_y) + wide(at[1])) * wide(frame.cells_z) + wide(at[2]);
}

Box cell_box(const Grid& grid, const std::array<int, 3>& at) {
  const std::array<int, 3> resolution = grid.resolution();
  Box box;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const auto plane = [&](int i) { return grid.frame.low[axis] + static_cast<float>(i) * grid.frame.cell[axis]; };
    const float high = plane(at[axis] + 1);
    set_component(box.low, axis, plane(at[axis]));
    set_component(box.high, axis,
                  at[axis] + 1 == resolution[axis] ? std::max(high, component(grid.bounds.high, axis)) : high);
  }
  return box;
}

Grid build_grid(const Mesh& mesh, const GridOptions& options) {
  check_options(mesh, options);
  Grid grid;
  grid.bounds = mesh.bounds();
  const float largest =
      max_component(max(max(grid.bounds.high, -grid.bounds.high), max(grid.bounds.low, -grid.bounds.low)));
  const float some = std::max(std::ldexp(largest, -16), std::numeric_limits<float>::min());
  for (std::size_t axis = 0; axis < 3; ++axis) {
    if (component(grid.bounds.high, axis) - component(grid.bounds.low, axis) > some) continue;
    set_component(grid.bounds.low, axis, component(grid.bounds.low, axis) - some);
    set_component(grid.bounds.high, axis, component(grid.bounds.high, axis) + some);
  }
  const Vec3 size = grid.bounds.size();
  const std::array<int, 3> resolution =
      options.resolution[0] != 0
          ? options.resolution
          : choose_resolution(size, static_cast<double>(mesh.triangle_count()), double(options.density));
  const Vec3 cell{size.x / static_cast<float>(resolution[0]), size.y / static_cast<float>(resolution[1]),
                  size.z / static_cast<float>(resolution[2])};
  grid.frame = grid_frame(grid.bounds, resolution, cell);

  struct Reference {
    unsigned cell;
    int triangle;
  };
  std::vector<Reference> references;
  grid.triangles.reserve(mesh.triangle_count());
  for (std::size_t i = 0; i < mesh.triangle_count(); ++i) {
    const Corners corners = mesh.corners(i);
    grid.triangles.push_back(woop_triangle(corners));
    const Box own = bounds_of(corners);
    std::array<std::array<int, 2>, 3> range{};
    for (std::size_t axis = 0; axis < 3; ++axis) {
      range[axis] = cells_near(component(own.low, axis), component(own.high, axis), grid.frame.low[axis],
                               grid.frame.cell[axis], resolution[axis]);
    }
    for (int x = range[0][0]; x <= range[0][1]; ++x) {
      for (int y = range[1][0]; y <= range[1][1]; ++y) {
        for (int z = range[2][0]; z <= range[2][1]; ++z) {
          if (overlaps(corners, cell_box(grid, {x, y, z}), {0.0, 0.0, 0.0}))
            references.push_back({static_cast<unsigned>(cell_number(grid.frame, {x, y, z})), static_cast<int>(i)});
        }
      }
    }
  }
  if (references.size() > std::numeric_limits<unsigned>::max())
    throw InputError({mesh.name}, "the grid has more entries than 32-bit offsets reach", "give fewer cells");

  // Sorted by counting, so that triangles ascend within a cell.
  grid.first.assign(std::size_t(resolution[0]) * std::size_t(resolution[1]) * std::size_t(resolution[2]) + 1, 0);
  for (const Reference& reference : references) ++grid.first[reference.cell + 1];
  for (std::size_t i = 1; i < grid.first.size(); ++i) grid.first[i] += grid.first[i - 1];
  std::vector<unsigned> next(grid.first.begin(), grid.first.end() - 1);
  grid.cell_triangles.resize(references.size());
  for (const Reference& reference : references) grid.cell_triangles[next[reference.cell]++] = reference.triangle;
  return grid;
}

}  // namespace reconverge::scenes
