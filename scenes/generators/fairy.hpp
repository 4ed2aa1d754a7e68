#pragma once
/// The dense figure of the forest.

#include "scenes/generators/generator.hpp"

namespace reconverge::scenes {

/// A fairy in a pleated dress with four wings, one metre high, at the mesh's present placement and facing -y.
/// `grain` is the length of its edges, about; the triangles grow with the inverse of its square. Materials: skin, hair,
/// dress, wing.
void add_fairy(Workshop& workshop, float grain);

}  // namespace reconverge::scenes
