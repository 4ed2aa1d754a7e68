// SPDX-License-Identifier: Apache-2.0
#pragma once
/// The furniture of the conference room. Private to its generator.

#include "scenes/generators/generator.hpp"

namespace reconverge::scenes {

/// The palette: indices of the builder's materials.
struct ConferenceMaterials {
  explicit ConferenceMaterials(const Workshop& shop);

  std::uint32_t carpet, wall, accent, ceiling, wood, fabric, metal, plastic;
  std::uint32_t ceramic, white, glass, leaf, fruit, paper, lamp, daylight;
};

/// A swivel chair on five casters; it stands at the placement's origin and faces its +y.
void add_chair(MeshBuilder& builder, const ConferenceMaterials& materials, const Placement& place, bool fine_parts);

struct Flutes {
  float depth;  ///< metres
  int count;
};

/// A sheet of round flutes, each `up` long and undivided; its normal is along x up.
void add_flutes(MeshBuilder& builder, Vec3 corner, Vec3 along, Vec3 up, const Flutes& flutes);

/// The head of a screw that sticks out of `place` along `axis`, a unit vector; `radius` in metres.
void add_screw(MeshBuilder& builder, Vec3 place, Vec3 axis, float radius);

/// The table, boat-shaped, and its two legs.
void add_table(MeshBuilder& builder, const ConferenceMaterials& materials, Vec3 centre);

/// Cups, a pot, fruit, papers; with `fine_parts` also pens, cables and a telephone. `centre` is on the table's top.
void add_table_ware(MeshBuilder& builder, const ConferenceMaterials& materials, Vec3 centre, bool fine_parts);

/// A microphone on a swan neck; its foot stands at the placement's origin, and it leans towards its +y.
void add_microphone(MeshBuilder& builder, const ConferenceMaterials& materials, const Placement& place);

/// A radiator with flutes before the wall y = 0, from `left` and `width` metres on, with its valve.
void add_radiator(MeshBuilder& builder, const ConferenceMaterials& materials, float left, float width);

/// A pot plant, about 1.5 m high.
void add_plant(MeshBuilder& builder, const ConferenceMaterials& materials, Vec3 foot);

}  // namespace reconverge::scenes
