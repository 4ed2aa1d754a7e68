// SPDX-License-Identifier: Apache-2.0
#include "scenes/files/vox_file.hpp"

#include <fmt/format.h>

#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <map>

#include "models/core/error.hpp"
#include "scenes/files/mesh_readers.hpp"
#include "scenes/structures/bvh.hpp"
#include "scenes/structures/triangle_box.hpp"

namespace reconverge::scenes {

namespace {

static_assert(std::endian::native == std::endian::little);

constexpr int most_cells_of_axis = 4096;
constexpr std::size_t floats_of_triangle = 27;

class VoxReader {
 public:
  VoxReader(std::string_view bytes, const std::string& name) : bytes_(bytes), name_(name) {}

  VoxScene read() {
    VoxScene scene;
    scene.mesh.name = name_;
    read_frame(scene.grid);
    const auto bits = get_section<std::uint64_t>(blocks_of(0) * blocks_of(1) * blocks_of(2) + 1);
    const auto table = get_section<std::int32_t>(cells_in_all());
    check_bits(bits, table.values);
    const std::size_t length = get_count(sizeof(std::int32_t), "entries in the lists");
    const auto lists = get_section<std::int32_t>(length);
    const std::size_t count = get_count(floats_of_triangle * sizeof(float), "triangles");
    if (count == 0) refuse(at_ - sizeof(std::int32_t), "there are no triangles");
    fill_cells(scene.grid, table, lists, count);
    read_triangles(scene, count);
    if (at_ != bytes_.size()) refuse(at_, fmt::format("{} bytes follow the last triangle", bytes_.size() - at_));
    scene.mesh.camera = camera_for(scene.mesh.bounds(), {0.0F, 0.0F, 1.0F});
    return scene;
  }

 private:
  /// Consecutive values of the file.
  template <typename T>
  struct Section {
    std::size_t offset;  ///< of the first
    std::vector<T> values;

    std::size_t offset_of(std::size_t index) const { return offset + sizeof(T) * index; }
  };

  [[noreturn]] void refuse(std::size_t offset, const std::string& message) const {
    throw InputError({name_}, fmt::format("byte {}: {}", offset, message), "give a .vox file of BrookGPU's ray tracer");
  }

  template <typename T>
  std::vector<T> get(std::size_t count) {
    if (count > (bytes_.size() - at_) / sizeof(T)) {
      refuse(at_, fmt::format("the file ends after {} bytes, but {} values of {} bytes are due here", bytes_.size(),
                              count, sizeof(T)));
    }
    std::vector<T> values(count);
    if (count != 0) std::memcpy(values.data(), bytes_.data() + at_, count * sizeof(T));
    at_ += count * sizeof(T);
    return values;
  }

  template <typename T>
  Section<T> get_section(std::size_t count) {
    const std::size_t offset = at_;
    return {offset, get<T>(count)};
  }

  /// Reads a count of items of `size` bytes each and checks that the file still contains them.
  std::size_t get_count(std::size_t size, std::string_view what) {
    const std::size_t offset = at_;
    const std::int32_t count = get<std::int32_t>(1).front();
    if (count < 0 || static_cast<std::size_t>(count) > (bytes_.size() - at_) / size)
      refuse(offset, fmt::format("{} {}, but {} bytes follow", count, what, bytes_.size() - at_));
    return static_cast<std::size_t>(count);
  }

  void read_frame(Grid& grid) {
    const auto cells = get<std::int32_t>(3);
    for (std::size_t axis = 0; axis < 3; ++axis) {
      if (cells[axis] < 1 || cells[axis] > most_cells_of_axis)
        refuse(4 * axis, fmt::format("{} cells along an axis, where 1 to {} are", cells[axis], most_cells_of_axis));
      cells_[axis] = cells[axis];
    }
    const std::size_t offset = at_;
    const auto values = get<float>(9);
    grid.bounds = {{values[0], values[1], values[2]}, {values[3], values[4], values[5]}};
    const Vec3 cell{values[6], values[7], values[8]};
    for (std::size_t axis = 0; axis < 3; ++axis) {
      const double extent = double(component(grid.bounds.high, axis)) - component(grid.bounds.low, axis);
      const double due = extent / cells_[axis];
      if (!(extent > 0.0 && std::isfinite(extent))) refuse(offset + 4 * axis, "the grid's box is empty or not finite");
      if (!(std::abs(component(cell, axis) - due) <= 1e-4 * due))
        refuse(offset + 24 + 4 * axis,
               fmt::format("the size of a cell is {}, but the box and the number of cells make it {}",
                           component(cell, axis), due));
    }
    grid.frame = grid_frame(grid.bounds, cells_, cell);
  }

  std::size_t blocks_of(std::size_t axis) const { return static_cast<std::size_t>(cells_[axis]) / 4 + 1; }

  std::size_t cells_in_all() const {
    return static_cast<std::size_t>(cells_[0]) * static_cast<std::size_t>(cells_[1]) *
           static_cast<std::size_t>(cells_[2]);
  }

  /// Each bit must say whether its cell's list is empty; all other bits must be zero.
  void check_bits(const Section<std::uint64_t>& bits, const std::vector<std::int32_t>& table) const {
    std::vector<std::uint64_t> due(bits.values.size());
    std::size_t cell = 0;
    for (std::size_t x = 0; x < static_cast<std::size_t>(cells_[0]); ++x) {
      for (std::size_t y = 0; y < static_cast<std::size_t>(cells_[1]); ++y) {
        for (std::size_t z = 0; z < static_cast<std::size_t>(cells_[2]); ++z) {
          if (table[cell++] < 0) continue;
          const std::size_t block = x / 4 + blocks_of(0) * (y / 4 + blocks_of(1) * (z / 4));
          due[block] |= std::uint64_t{1} << (x % 4 + 4 * (y % 4) + 16 * (z % 4));
        }
      }
    }
    for (std::size_t i = 0; i < due.size(); ++i) {
      if (bits.values[i] != due[i]) refuse(bits.offset_of(i), "the bits of empty cells contradict the table of lists");
    }
  }

  /// Lists must follow each other in cell order, so that none is used twice and the grid is no larger than the file.
  void fill_cells(Grid& grid, const Section<std::int32_t>& table, const Section<std::int32_t>& lists,
                  std::size_t triangles) const {
    const std::vector<std::int32_t>& starts = table.values;
    const std::vector<std::int32_t>& entries = lists.values;
    std::size_t next = 0;
    grid.first.reserve(starts.size() + 1);
    grid.cell_triangles.reserve(entries.size());
    grid.first.push_back(0);
    for (std::size_t cell = 0; cell < starts.size(); ++cell) {
      if (starts[cell] < -1 || (starts[cell] >= 0 && static_cast<std::size_t>(starts[cell]) != next)) {
        refuse(table.offset_of(cell), fmt::format("the list of cell {} begins at {} instead of {} (or -1 when empty)",
                                                  cell, starts[cell], next));
      }
      if (starts[cell] >= 0) {
        const std::size_t begin = next;
        for (; next < entries.size() && entries[next] != -1; ++next) {
          if (entries[next] < 0 || static_cast<std::size_t>(entries[next]) >= triangles)
            refuse(lists.offset_of(next), fmt::format("triangle {} of {}", entries[next], triangles));
          if (next > begin && entries[next] <= entries[next - 1])
            refuse(lists.offset_of(next),
                   fmt::format("triangle {} in a list after {}", entries[next], entries[next - 1]));
          grid.cell_triangles.push_back(entries[next]);
        }
        if (next == entries.size())
          refuse(lists.offset_of(next), fmt::format("the list of cell {} is not closed", cell));
        ++next;
      }
      grid.first.push_back(static_cast<unsigned>(grid.cell_triangles.size()));
    }
    if (next != entries.size()) refuse(lists.offset_of(next), "entries that no cell has");
  }

  void read_triangles(VoxScene& scene, std::size_t count) {
    std::map<std::array<float, 3>, std::uint32_t> material_of_colour;
    Mesh& mesh = scene.mesh;
    for (std::size_t i = 0; i < count; ++i) {
      const std::size_t offset = at_;
      const auto values = get<float>(floats_of_triangle);
      for (std::size_t k = 0; k < values.size(); ++k) {
        if (!std::isfinite(values[k]))
          refuse(offset + 4 * k, fmt::format("triangle {} has a value that is not finite", i));
      }
      const auto corner = static_cast<std::uint32_t>(mesh.positions.size());
      for (std::size_t k = 0; k < 9; k += 3) mesh.positions.push_back({values[k], values[k + 1], values[k + 2]});
      mesh.triangles.push_back({corner, corner + 1, corner + 2});
      const auto [material, is_new] = material_of_colour.try_emplace({values[18], values[19], values[20]},
                                                                     static_cast<std::uint32_t>(mesh.materials.size()));
      if (is_new) {
        Appearance appearance;
        appearance.albedo = {values[18], values[19], values[20]};
        add_material(mesh, fmt::format("colour {}", material->second), appearance);
      }
      mesh.material_of_triangle.push_back(material->second);
      scene.grid.triangles.push_back(woop_triangle(mesh.corners(i)));
    }
  }

  std::string_view bytes_;
  const std::string& name_;
  std::size_t at_ = 0;
  std::array<int, 3> cells_{};
};

}  // namespace

VoxScene parse_vox(std::string_view bytes, const std::string& name) { return VoxReader(bytes, name).read(); }

VoxScene load_vox(const std::filesystem::path& file) {
  const SceneFile scene = read_scene_file(file, OutsideFiles::refused);
  return parse_vox(scene.bytes, scene.name);
}

}  // namespace reconverge::scenes
