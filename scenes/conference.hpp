#pragma once
/// A conference room, generated: huge plain walls around finely tessellated chairs and table ware. It stands in for
/// the room that Lü et al. (MICRO 2017) and Steffen and Zambreno (MICRO 2010) trace, with the properties that make
/// that room hard: half of the triangles lie in well under half a per cent of the volume, and no ray escapes.

#include "scenes/mesh.hpp"

namespace reconverge::scenes {

struct ConferenceOptions {
  float detail = 1.0F;     ///< scales every tessellation; about 280,000 triangles at 1, growing with its square
  int chairs = 18;         ///< 0..18; the first sixteen stand at the table
  bool fine_parts = true;  ///< casters, cables, pens and the plant; without them a few thousand triangles suffice
};

/// 11 x 7 x 2.7 m, z up, with lights in the ceiling and behind the blinds. The same options give the same mesh, bit
/// for bit. Throws InputError when an option is out of range.
Mesh conference(const ConferenceOptions& options = {});

/// The room with about as many triangles as given, 1,500 to 4,000,000: chooses the options. Small rooms do without the
/// fine parts and most chairs.
Mesh conference_of(std::size_t triangles);

}  // namespace reconverge::scenes
