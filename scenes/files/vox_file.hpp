// SPDX-License-Identifier: Apache-2.0
#pragma once
/// The scenes of BrookGPU's ray tracer (glassner04.vox and its like): triangles and the uniform grid over them. The
/// layout, derived from the bytes of the three files, is little-endian and without gaps:
///
///   int32[3]                cells along x, y, z
///   float[9]                low corner, high corner, size of a cell
///   uint64[b + 1]           a bit for each cell that is not empty, in blocks of 4 x 4 x 4 cells, x fastest both within
///                           a block and among the b = (x/4 + 1)(y/4 + 1)(z/4 + 1) blocks; one word of zero at the end
///   int32[cells]            where the cell's list begins, -1 when it is empty; z fastest
///   int32, int32[]          length of all lists; triangle numbers, each list closed by -1
///   int32, float[27] each   number of triangles; three corners, three normals, three colours

#include <filesystem>
#include <string>
#include <string_view>

#include "scenes/mesh.hpp"
#include "scenes/structures/grid.hpp"

namespace reconverge::scenes {

struct VoxScene {
  Mesh mesh;  ///< corners are not shared; one material for each colour of a first corner; normals are dropped
  Grid grid;  ///< with the file's own lists
};

/// Throws InputError with the byte offset of the first error: truncation, a size or number out of range, contradictory
/// bits or lists, or trailing bytes. Takes at most a few times the file's size in memory.
VoxScene parse_vox(std::string_view bytes, const std::string& name);

/// The same for a file.
VoxScene load_vox(const std::filesystem::path& file);

}  // namespace reconverge::scenes
