// SPDX-License-Identifier: Apache-2.0
#include "scenes/files/mesh_io.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <ostream>
#include <string_view>

#include "models/core/error.hpp"
#include "models/core/input_file.hpp"
#include "scenes/files/mesh_readers.hpp"
#include "scenes/files/vox_file.hpp"

namespace reconverge::scenes {

namespace {

/// Colours in a file are unchecked; the path tracer needs finite values, and no surface may reflect more light than it
/// receives.
Vec3 clamp_colour(Vec3 colour, float most) {
  const auto clamp = [most](float value) { return std::isfinite(value) ? std::clamp(value, 0.0F, most) : 0.0F; };
  return {clamp(colour.x), clamp(colour.y), clamp(colour.z)};
}

bool is_gltf_name(std::string_view extension) { return extension == ".gltf" || extension == ".glb"; }

/// Returns whether the file defines a camera.
bool read_kind(const SceneFile& file, std::string_view extension, LoadedMesh& into) {
  if (is_gltf_name(extension)) return read_gltf(file, into);
  if (extension == ".ply") {
    read_ply(file, into);
  } else if (extension == ".obj") {
    read_obj(file, into);
  } else if (extension == ".vox") {
    into.mesh = parse_vox(file.bytes, file.name).mesh;
  } else {
    throw InputError({file.name}, fmt::format("'{}' is not a scene format that can be read", extension),
                     "convert it to .obj, .ply, .gltf or .glb");
  }
  return false;
}

}  // namespace

SceneFile read_scene_file(const std::filesystem::path& file, OutsideFiles outside) {
  return {file.string(), file, read_input(file, input::scene), outside};
}

std::uint32_t add_material(Mesh& mesh, std::string name, const Appearance& appearance) {
  const Vec3 reflected = clamp_colour(appearance.albedo, 1.0F);
  const Vec3 emitted = clamp_colour(appearance.emission, 1e6F);
  const bool mirrors = appearance.roughness < diffuse_roughness && std::isfinite(appearance.mirror);
  Material& material = mesh.materials.emplace_back();
  material = {{reflected.x, reflected.y, reflected.z}, 0.0F, {emitted.x, emitted.y, emitted.z}, 0.0F};
  if (mirrors) {
    material.mirror = std::clamp(appearance.mirror, 0.0F, 1.0F);
    material.roughness = std::max(appearance.roughness, 0.0F);
  }
  mesh.material_names.push_back(std::move(name));
  return static_cast<std::uint32_t>(mesh.materials.size() - 1);
}

LoadedMesh load_mesh(const std::filesystem::path& file, OutsideFiles outside) {
  const SceneFile scene = read_scene_file(file, outside);
  LoadedMesh loaded;
  loaded.mesh.name = scene.name;
  const bool has_camera = read_kind(scene, file.extension().string(), loaded);
  const std::size_t others = loaded.repairs.other_primitives;
  loaded.repairs = repair(loaded.mesh);
  loaded.repairs.other_primitives = others;
  if (loaded.mesh.triangles.empty()) {
    throw InputError({scene.name}, "has no triangle that can be traced",
                     loaded.repairs.dropped() == 0 ? "" : to_string(loaded.repairs));
  }
  if (!has_camera) loaded.mesh.camera = camera_for(loaded.mesh.bounds(), {0.0F, 0.0F, 1.0F});
  check_mesh(loaded.mesh);
  return loaded;
}

namespace {

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view blank = " \t\r";
  const std::size_t first = text.find_first_not_of(blank);
  return first == std::string_view::npos ? std::string_view{}
                                         : text.substr(first, text.find_last_not_of(blank) - first + 1);
}

/// The text after `keyword` in a line of an OBJ file; empty if the line begins with another keyword.
std::string_view argument_of(std::string_view line, std::string_view keyword) {
  line = trimmed(line);
  if (!line.starts_with(keyword)) return {};
  line.remove_prefix(keyword.size());
  return line.empty() || (line.front() != ' ' && line.front() != '\t') ? std::string_view{} : trimmed(line);
}

}  // namespace

std::vector<std::filesystem::path> material_files(const SceneFile& file) {
  std::vector<std::filesystem::path> found;
  SourceLocation place{file.name};
  for (std::string_view left = file.bytes; !left.empty();) {
    const std::string_view line = left.substr(0, left.find('\n'));
    left.remove_prefix(std::min(line.size() + 1, left.size()));
    ++place.line;
    const std::string_view name = argument_of(line, "mtllib");
    if (name.empty()) continue;
    // If the named file does not exist, the file with the scene's name and the extension .mtl is used.
    const std::filesystem::path folder = file.path.parent_path();
    std::filesystem::path named = named_file(folder, name, file.outside, place);
    std::error_code error;
    if (!std::filesystem::exists(named, error)) {
      named = named_file(folder, file.path.filename().replace_extension(".mtl").string(), file.outside, place);
    }
    const bool is_new = std::find(found.begin(), found.end(), named) == found.end();
    if (is_new && std::filesystem::exists(named, error)) found.push_back(named);
  }
  return found;
}

std::vector<std::filesystem::path> named_files(const std::filesystem::path& file, OutsideFiles outside) {
  const bool is_obj = file.extension() == ".obj";
  const bool is_gltf = is_gltf_name(file.extension().string());
  if (std::error_code error; (!is_obj && !is_gltf) || !std::filesystem::exists(file, error)) return {};
  const SceneFile scene = read_scene_file(file, outside);
  return is_obj ? material_files(scene) : buffer_files(scene);
}

void write_ply(const Mesh& mesh, std::ostream& out) {
  static_assert(std::endian::native == std::endian::little && sizeof(Vec3) == 12);
  out << fmt::format(
      "ply\nformat binary_little_endian 1.0\nelement vertex {}\nproperty float x\nproperty float y\nproperty float z\n"
      "element face {}\nproperty list uchar int vertex_indices\nend_header\n",
      mesh.positions.size(), mesh.triangles.size());
  const auto put = [&out](const auto& value) {
    const auto bytes = std::bit_cast<std::array<char, sizeof(value)>>(value);
    out.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  };
  for (const Vec3 position : mesh.positions) put(position);
  for (const TriangleIndices& triangle : mesh.triangles) {
    put(std::uint8_t{3});
    for (const std::uint32_t corner : triangle) put(corner);
  }
}

}  // namespace reconverge::scenes
