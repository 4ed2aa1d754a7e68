// SPDX-License-Identifier: Apache-2.0
#pragma once
/// Scenes whose pictures and hits can be computed by hand.

#include "scenes/mesh.hpp"

namespace reconverge::scenes {

/// One triangle (0,0,0) (1,0,0) (0,1,0) seen from above at (0.25, 0.25, 2).
Mesh one_triangle();

/// The unit square at z = 0 as two triangles that share the diagonal from (0,0) to (1,1).
Mesh quad();

/// A box of 2 m, open towards the camera, with a coloured left and right wall, two boxes on the floor and a light
/// under the ceiling: 36 triangles, after the box that Cornell's graphics group measured.
Mesh box();

/// A closed sphere whose inside has the albedo given and emits the radiance given: in every direction, paths of n
/// bounces gather emission * (1 + albedo + ... + albedo^n), the last term from the lights seen by the last surface.
/// This is the white furnace test.
Mesh furnace(float albedo, float emission);

}  // namespace reconverge::scenes
