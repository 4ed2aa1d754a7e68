#pragma once
/// The readers of scene files, each from the bytes of a file to triangles and materials. Private to this library.
///
/// A file may hold anything: every count is held against the bytes that are there before memory is taken for it, and
/// what does not fit is an InputError. Corners out of range and coordinates that are no numbers go through; `repair`
/// drops and counts what they spoil.

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

/// The whole of a file. Throws InputError when it is no regular file or cannot be read.
SceneFile read_scene_file(const std::filesystem::path& file, OutsideFiles outside);

/// The material files that an OBJ file names and that are there. Throws InputError for one that it may not name.
std::vector<std::filesystem::path> material_files(const SceneFile& file);
/// The same for the buffers of a glTF file.
std::vector<std::filesystem::path> buffer_files(const SceneFile& file);

/// Wavefront OBJ: polygons and the colours of its material libraries. Texture coordinates, normals, groups and
/// free-form surfaces are passed over.
void read_obj(const SceneFile& file, LoadedMesh& into);
/// PLY, text and binary: the elements `vertex` and `face`; others are passed over.
void read_ply(const SceneFile& file, LoadedMesh& into);
/// glTF 2.0, as text or binary. True when it has a camera, which is then set.
bool read_gltf(const SceneFile& file, LoadedMesh& into);

/// What a file says of a surface; without a material, in OBJ and PLY, it looks like this.
struct Appearance {
  Vec3 albedo{0.6F, 0.6F, 0.6F};
  Vec3 emission;
  float mirror = 0.0F;     ///< share, as in Material
  float roughness = 0.0F;  ///< alpha of GGX
};
/// Mirrors as rough as this or rougher are taken as diffuse: they look alike, and a diffuse surface keeps its colour.
inline constexpr float diffuse_roughness = 0.5F;

/// Returns its index. Numbers are made finite and no surface reflects more light than it gets.
std::uint32_t add_material(Mesh& mesh, std::string name, const Appearance& appearance);

/// Splits a polygon into triangles; points and lines are counted as other primitives. The polygon lies in a plane or
/// nearly so, and may have dents.
void add_polygon(LoadedMesh& into, std::span<const std::uint32_t> corners, std::uint32_t material);

/// A corner that no mesh has.
inline constexpr std::uint32_t no_corner = 0xFFFFFFFF;

}  // namespace reconverge::scenes
