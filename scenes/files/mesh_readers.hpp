// SPDX-License-Identifier: Apache-2.0
#pragma once
/// The readers of scene files: each converts the bytes of a file to triangles and materials. Private to this library.
///
/// Files are untrusted: every count is checked against the available bytes before memory is allocated, and a mismatch
/// is an InputError. Corners out of range and coordinates that are not numbers are passed on; `repair` drops and counts
/// the affected triangles.

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "scenes/files/mesh_io.hpp"
#include "scenes/mesh.hpp"

namespace reconverge::scenes {

struct SceneFile {
  std::string name;  ///< in messages
  std::filesystem::path path;
  std::string bytes;
  OutsideFiles outside = OutsideFiles::refused;
};

/// Reads a whole file. Throws InputError if it is not a regular file or cannot be read.
SceneFile read_scene_file(const std::filesystem::path& file, OutsideFiles outside);

/// The existing material files that an OBJ file names. Throws InputError for a file that it must not name.
std::vector<std::filesystem::path> material_files(const SceneFile& file);
/// The same for the buffers of a glTF file.
std::vector<std::filesystem::path> buffer_files(const SceneFile& file);

/// Wavefront OBJ: polygons and the colours of its material libraries. Texture coordinates, normals, groups and
/// free-form surfaces are ignored.
void read_obj(const SceneFile& file, LoadedMesh& into);
/// PLY, text and binary: the elements `vertex` and `face`; others are ignored.
void read_ply(const SceneFile& file, LoadedMesh& into);
/// glTF 2.0, text or binary. Returns whether it has a camera, which is then set.
bool read_gltf(const SceneFile& file, LoadedMesh& into);

/// The surface properties in a file. The defaults apply to OBJ and PLY without a material.
struct Appearance {
  Vec3 albedo{0.6F, 0.6F, 0.6F};
  Vec3 emission;
  float mirror = 0.0F;     ///< share, as in Material
  float roughness = 0.0F;  ///< alpha of GGX
};
/// Mirrors at least this rough are treated as diffuse: they look alike, and a diffuse surface keeps its colour.
inline constexpr float diffuse_roughness = 0.5F;

/// Returns the material's index. Makes numbers finite and limits reflection to the incoming light.
std::uint32_t add_material(Mesh& mesh, std::string name, const Appearance& appearance);

/// Splits a polygon into triangles; points and lines are counted as other primitives. The polygon must be planar or
/// nearly so; it may be concave.
void add_polygon(LoadedMesh& into, std::span<const std::uint32_t> corners, std::uint32_t material);

/// An index that no corner has.
inline constexpr std::uint32_t no_corner = 0xFFFFFFFF;

}  // namespace reconverge::scenes
