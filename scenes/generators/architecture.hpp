// SPDX-License-Identifier: Apache-2.0
#pragma once
/// Parts of buildings. `grain` is the approximate edge length, with which the caller chooses the tessellation. Every
/// function appends to the builder with the current material; z is up.

#include <functional>

#include "scenes/generators/shapes.hpp"

namespace reconverge::scenes {

/// The number of pieces of length `grain` that cover `length`, at least `least`.
int pieces(float length, float grain, int least = 1);

/// A parallelogram in cells of the grain's size.
void add_panel(MeshBuilder& builder, Vec3 corner, Vec3 u, Vec3 v, float grain);

/// The six faces of a box, each a panel.
void add_block(MeshBuilder& builder, Vec3 low, Vec3 high, float grain);

/// A round column with base and capital; `radius` is the shaft's.
void add_column(MeshBuilder& builder, Vec3 foot, float radius, float height, float grain);

/// A row of round arches in a wall. The bays follow each other from `start` along `run` (horizontal, the length of a
/// bay); the openings spring from `springing` and the wall ends at `top`, both heights above `start`.
struct Arcade {
  Vec3 start;
  Vec3 run;
  int bays = 5;
  float springing = 3.0F;
  float top = 5.0F;
  float pier = 0.5F;       ///< width of wall between two openings
  float thickness = 0.5F;  ///< to the left of `run`
};
/// Both faces, the undersides of the arches, and a round moulding along each; no columns.
void add_arcade(MeshBuilder& builder, const Arcade& arcade, float grain);

/// A cornice: the profile (radius: away from the wall, height: up) drawn along a straight line whose outside is to the
/// right of `run`.
void add_cornice(MeshBuilder& builder, Vec3 start, Vec3 run, std::span<const ProfilePoint> profile, float grain);

struct Railing {
  float height;
  float spacing;  ///< of the posts, about
  float radius;   ///< of the posts
  int cells;      ///< pieces of a post
};

/// A handrail above the line `run` from `start`, and posts under it.
void add_railing(MeshBuilder& builder, Vec3 start, Vec3 run, const Railing& railing);

struct Ring {
  float radius;
  float thickness;
};

/// A round moulded ring in the plane across `axis`, a unit vector.
void add_ring(MeshBuilder& builder, Vec3 centre, Vec3 axis, const Ring& ring, float grain);

struct Drape {
  float drop;   ///< from its upper edge to its lower edge
  float folds;  ///< their number
  float depth;  ///< of a fold
  int cells;    ///< it has `cells` x `cells` quadrilaterals
};

/// A cloth that hangs from the line `across`.
void add_drape(MeshBuilder& builder, Vec3 corner, Vec3 across, const Drape& drape);

/// An urn, about as wide as high, open at the top.
void add_urn(MeshBuilder& builder, Vec3 foot, float height, float grain);

}  // namespace reconverge::scenes
