// SPDX-License-Identifier: Apache-2.0
#pragma once
/// Writes .vox files for `parse_vox`, so that tests and the fuzzer's corpus need no other files.

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "scenes/mesh.hpp"
#include "scenes/structures/grid.hpp"

namespace reconverge::scenes {

inline std::string vox_bytes(const Mesh& mesh, const Grid& grid) {
  std::string bytes;
  const auto put = [&bytes](const auto& value) { bytes.append(reinterpret_cast<const char*>(&value), sizeof(value)); };
  const auto cells = grid.resolution();
  put(cells);
  put(grid.bounds);
  put(grid.frame.cell);
  const auto blocks = [&cells](std::size_t axis) { return static_cast<std::size_t>(cells[axis]) / 4 + 1; };
  std::vector<std::uint64_t> bits(blocks(0) * blocks(1) * blocks(2) + 1);
  std::vector<std::int32_t> table;
  std::vector<std::int32_t> lists;
  for (std::size_t cell = 0; cell < grid.cells(); ++cell) {
    const auto first = grid.cell_triangles.begin() + grid.first[cell];
    const auto last = grid.cell_triangles.begin() + grid.first[cell + 1];
    table.push_back(first == last ? -1 : static_cast<std::int32_t>(lists.size()));
    if (first == last) continue;
    lists.insert(lists.end(), first, last);
    lists.push_back(-1);
    const auto extent = [&cells](std::size_t axis) { return static_cast<std::size_t>(cells[axis]); };
    const std::size_t x = cell / extent(2) / extent(1);
    const std::size_t y = cell / extent(2) % extent(1);
    const std::size_t z = cell % extent(2);
    bits[x / 4 + blocks(0) * (y / 4 + blocks(1) * (z / 4))] |= std::uint64_t{1} << (x % 4 + 4 * (y % 4) + 16 * (z % 4));
  }
  for (const std::uint64_t word : bits) put(word);
  for (const std::int32_t begin : table) put(begin);
  put(static_cast<std::int32_t>(lists.size()));
  for (const std::int32_t entry : lists) put(entry);
  put(static_cast<std::int32_t>(mesh.triangle_count()));
  for (std::size_t i = 0; i < mesh.triangle_count(); ++i) {
    put(mesh.corners(i));
    put(std::array<Vec3, 3>{});
    const Vec3 colour = to_vec3(mesh.material(i).albedo);
    put(std::array<Vec3, 3>{colour, colour, colour});
  }
  return bytes;
}

}  // namespace reconverge::scenes
