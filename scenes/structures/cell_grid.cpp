// SPDX-License-Identifier: Apache-2.0
#include "scenes/structures/cell_grid.hpp"

#include <functional>

#include "scenes/structures/triangle_box.hpp"

namespace reconverge::scenes {

namespace {

std::size_t cells_along(float side, float cell) {
  // A side that is a whole number of cells except for rounding gets no additional cell.
  return std::max<std::size_t>(1, static_cast<std::size_t>(std::ceil(side / cell - 1e-3F)));
}

}  // namespace

CellGrid::CellGrid(const Mesh& mesh, int longest_cells) : mesh_(mesh), bounds_(mesh.bounds()) {
  const Vec3 size = bounds_.size();
  cell_ = max_component(size) / static_cast<float>(longest_cells);
  cells_ = {cells_along(size.x, cell_), cells_along(size.y, cell_), cells_along(size.z, cell_)};
}

std::size_t CellGrid::cell_at(float offset, std::size_t axis) const {
  return std::min(static_cast<std::size_t>(std::max(0.0F, offset / cell_)), cells_.at(axis) - 1);
}

double CellGrid::half_volume() const {
  std::vector<std::size_t> count(cell_count());
  for (std::size_t i = 0; i < mesh_.triangle_count(); ++i) {
    const auto corners = mesh_.corners(i);
    const Vec3 centre = (corners[0] + corners[1] + corners[2]) * (1.0F / 3.0F) - bounds_.low;
    ++count[index(cell_at(centre.x, 0), cell_at(centre.y, 1), cell_at(centre.z, 2))];
  }
  std::ranges::sort(count, std::greater<>());
  std::size_t held = 0;
  std::size_t fullest = 0;
  while (held * 2 < mesh_.triangle_count()) held += count[fullest++];
  return static_cast<double>(fullest) / static_cast<double>(count.size());
}

std::size_t CellGrid::occupied() const {
  std::vector<bool> holds(cell_count());
  const Vec3 side{cell_, cell_, cell_};
  for (std::size_t i = 0; i < mesh_.triangle_count(); ++i) {
    const auto corners = mesh_.corners(i);
    const Vec3 low = min(min(corners[0], corners[1]), corners[2]) - bounds_.low;
    const Vec3 high = max(max(corners[0], corners[1]), corners[2]) - bounds_.low;
    for (std::size_t z = cell_at(low.z, 2); z <= cell_at(high.z, 2); ++z) {
      for (std::size_t y = cell_at(low.y, 1); y <= cell_at(high.y, 1); ++y) {
        for (std::size_t x = cell_at(low.x, 0); x <= cell_at(high.x, 0); ++x) {
          if (holds[index(x, y, z)]) continue;
          const Vec3 place{static_cast<float>(x), static_cast<float>(y), static_cast<float>(z)};
          const Vec3 low_corner = bounds_.low + place * cell_;
          holds[index(x, y, z)] = overlaps(corners, {low_corner, low_corner + side}, {});
        }
      }
    }
  }
  return static_cast<std::size_t>(std::ranges::count(holds, true));
}

}  // namespace reconverge::scenes
