#pragma once
/// What stands in the conference room. Private to its generator.

#include "scenes/generator.hpp"

namespace reconverge::scenes {

/// The palette: indices of the builder's materials.
struct ConferenceMaterials {
  explicit ConferenceMaterials(const Workshop& shop);

  std::uint32_t carpet, wall, accent, ceiling, wood, fabric, metal, plastic;
  std::uint32_t ceramic, white, glass, leaf, fruit, paper, lamp, daylight;
};

/// A swivel chair on five casters; it stands at the placement's origin and faces its +y.
void add_chair(MeshBuilder& builder, const ConferenceMaterials& materials, const Placement& place, bool fine_parts);

/// The table, boat-shaped, and its two legs.
void add_table(MeshBuilder& builder, const ConferenceMaterials& materials, Vec3 centre);

/// Cups, a pot, fruit, papers; with `fine_parts` also pens, cables and a telephone. `centre` is on the table's top.
void add_table_ware(MeshBuilder& builder, const ConferenceMaterials& materials, Vec3 centre, bool fine_parts);

/// A pot plant, about 1.5 m high.
void add_plant(MeshBuilder& builder, const ConferenceMaterials& materials, Vec3 foot);

}  // namespace reconverge::scenes
