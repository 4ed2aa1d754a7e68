// SPDX-License-Identifier: Apache-2.0
#pragma once
/// Scene files: OBJ, PLY, glTF and .vox (`vox_file.hpp`) in, PLY out.

#include <filesystem>
#include <iosfwd>
#include <vector>

#include "scenes/files/named_file.hpp"
#include "scenes/mesh.hpp"

namespace reconverge::scenes {

struct LoadedMesh {
  Mesh mesh;
  MeshRepairs repairs;
};

/// Reads a scene file: node transforms applied, polygons split into triangles, diffuse (or base) colour and emission of
/// every material, and the file's first camera, or `camera_for` its bounds if it has none. Triangles that cannot be
/// traced are dropped and counted. Throws InputError, naming the file, if it does not exist, is of an unknown kind,
/// does not parse, names a file that it must not name (named_file.hpp), or leaves no triangle.
LoadedMesh load_mesh(const std::filesystem::path& file, OutsideFiles outside = OutsideFiles::refused);

/// The existing files that a scene file names: materials of OBJ and buffers of glTF; none for other kinds. Throws
/// InputError for a file that it must not name, and for glTF that does not parse.
std::vector<std::filesystem::path> named_files(const std::filesystem::path& file,
                                               OutsideFiles outside = OutsideFiles::refused);

/// Binary PLY: positions and triangles; the format has no materials.
void write_ply(const Mesh& mesh, std::ostream& out);

}  // namespace reconverge::scenes
