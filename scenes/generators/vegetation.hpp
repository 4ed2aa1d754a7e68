// SPDX-License-Identifier: Apache-2.0
#pragma once
/// Vegetation: the parts of the forest, plants and courtyard greenery. Every function appends to the builder with the
/// current material; z is up.

#include <span>

#include "scenes/generators/dice.hpp"
#include "scenes/generators/shapes.hpp"

namespace reconverge::scenes {

struct Leaf {
  float width;
  float droop;  ///< at the tip, as a part of its length
  int pieces;   ///< along its length, at least 2; 4 * pieces - 4 triangles
};

/// A leaf from `foot` along `along` (its whole length), bent down, folded along the middle rib.
void add_leaf(MeshBuilder& builder, Vec3 foot, Vec3 along, const Leaf& leaf);

/// A blade of grass: one triangle that leans.
void add_blade(MeshBuilder& builder, Vec3 foot, Vec3 tip, float width);

/// A spray of leaves drawn on one card: two triangles in a random orientation, with slightly moved corners.
void add_card(MeshBuilder& builder, Dice& dice, Vec3 centre, float size);

/// A tree: a ridged trunk that flares at the root, boughs, and a crown of cards within an ellipsoid around its top.
struct Tree {
  float height = 10.0F;
  float radius = 1.0F;  ///< of the root; a third of it is left at the top
  int around = 12;      ///< segments of the trunk
  int along = 14;
  int boughs = 6;
  int cards = 160;
  float card_size = 0.9F;
  Vec3 crown{1.6F, 1.6F, 2.5F};  ///< half size
};
void add_tree(MeshBuilder& builder, Dice& dice, const Tree& tree, std::uint32_t bark, std::uint32_t foliage);

/// Ground over the square of `half` around the origin, `cells` a side; its height is `ground_height`.
void add_ground(MeshBuilder& builder, float half, int cells, float swell);

/// A gentle swell, about -1.2 * swell to 1.2 * swell.
float ground_height(float x, float y, float swell);

}  // namespace reconverge::scenes
