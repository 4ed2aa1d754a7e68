// SPDX-License-Identifier: Apache-2.0
#pragma once
/// The dense figure of the forest.

#include "scenes/generators/generator.hpp"

namespace reconverge::scenes {

/// A fairy in a pleated dress with four wings, one metre high, at the mesh's current placement and facing -y. `grain`
/// is the approximate edge length; the number of triangles grows with the inverse of its square. Materials: skin, hair,
/// dress, wing.
void add_fairy(Workshop& workshop, float grain);

}  // namespace reconverge::scenes
