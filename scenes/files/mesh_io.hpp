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

/// Reads a scene file: node transforms applied, polygons split into triangles, diffuse (or base) colour and emission
/// of every material, the file's first camera where it has one and `camera_for` its bounds otherwise.
/// Triangles that cannot be traced are dropped and counted. Throws InputError, naming the file, when it does not
/// exist, is of an unknown kind, does not parse, names a file that it may not (named_file.hpp), or leaves no triangle.
LoadedMesh load_mesh(const std::filesystem::path& file, OutsideFiles outside = OutsideFiles::refused);

/// The files that a scene file names and that are there: materials of OBJ, buffers of glTF; of other files none. Throws
/// InputError for one that it may not name, and for glTF that does not parse.
std::vector<std::filesystem::path> named_files(const std::filesystem::path& file,
                                               OutsideFiles outside = OutsideFiles::refused);

/// Binary PLY: positions and triangles; materials are not part of the format.
void write_ply(const Mesh& mesh, std::ostream& out);

}  // namespace reconverge::scenes
