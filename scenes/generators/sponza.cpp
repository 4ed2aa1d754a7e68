// SPDX-License-Identifier: Apache-2.0
// A courtyard between arcades of two floors, hung with cloth and set with potted plants: a third of the triangles is
// cloth, an eighth foliage, the rest masonry. 34.8 x 15.6 m, 16.5 m high, open to the sky in the middle.
#include <array>
#include <cmath>

#include "scenes/generators/architecture.hpp"
#include "scenes/generators/generator.hpp"
#include "scenes/generators/vegetation.hpp"

namespace reconverge::scenes {

namespace {

constexpr std::array<std::string_view, 10> materials{"floor", "wall",  "arch",   "column", "roof",
                                                     "iron",  "cloth", "banner", "urn",    "leaf"};

constexpr std::array<Setting, 5> settings{{{"drape_cells", 42, 4, 200},
                                           {"wall_grain", 0.5, 0.05, 5},
                                           {"arch_grain", 0.12, 0.03, 2},
                                           {"column_grain", 0.08, 0.02, 2},
                                           {"leaf_length", 0.42, 0.05, 1}}};

constexpr float half_x = 17.4F;
constexpr float half_y = 7.8F;
constexpr float inner_x = 11.0F;  ///< the open court
constexpr float inner_y = 2.5F;
constexpr float upper_floor = 5.0F;
constexpr float eaves = 10.2F;
constexpr float top = 15.65F;

class Courtyard {
 public:
  explicit Courtyard(Workshop& workshop)
      : shop_(workshop),
        mesh_(workshop.mesh),
        wall_(workshop.setting("wall_grain")),
        arch_(workshop.setting("arch_grain")),
        column_(workshop.setting("column_grain")) {}

  void build() {
    add_shell();
    add_floors();
    add_sides();
    add_ornaments();
    add_cloth();
    add_greenery();
  }

 private:
  /// The outer walls: thick ones, so that there are faces outside too.
  void add_shell() {
    shop_.use("floor");
    add_panel(mesh_, {-half_x, -half_y, 0}, {2 * half_x, 0, 0}, {0, 2 * half_y, 0}, wall_);
    shop_.use("wall");
    for (const float side : {-1.0F, 1.0F}) {
      const float x = side * (half_x - 0.6F);
      const float y = side * (half_y - 0.3F);
      add_block(mesh_, {-half_x, y - 0.3F, -0.9F}, {half_x, y + 0.3F, top}, 4.0F * wall_);
      add_block(mesh_, {x - 0.6F, -half_y + 0.6F, -0.9F}, {x + 0.6F, half_y - 0.6F, top}, 4.0F * wall_);
    }
  }

  /// The building around the court between two heights.
  void add_gallery(float low, float high) {
    add_block(mesh_, {-half_x + 1.2F, inner_y, low}, {half_x - 1.2F, half_y - 0.6F, high}, wall_);
    add_block(mesh_, {-half_x + 1.2F, -half_y + 0.6F, low}, {half_x - 1.2F, -inner_y, high}, wall_);
    for (const float x : {-half_x + 1.2F, inner_x}) {
      add_block(mesh_, {x, -inner_y, low}, {x + half_x - 1.2F - inner_x, inner_y, high}, wall_);
    }
  }

  void add_floors() {
    shop_.use("wall");
    add_gallery(upper_floor - 0.25F, upper_floor);
    add_gallery(eaves - 0.3F, eaves);
    // The upper wall of the court, and the roof outside it.
    for (const float side : {-1.0F, 1.0F}) {
      const float y = side * (inner_y + 0.2F);
      add_block(mesh_, {-inner_x - 0.4F, y - 0.2F, eaves}, {inner_x + 0.4F, y + 0.2F, top}, wall_);
      const float x = side * (inner_x + 0.2F);
      add_block(mesh_, {x - 0.2F, -inner_y, eaves}, {x + 0.2F, inner_y, top}, wall_);
    }
    shop_.use("roof");
    add_gallery(top - 0.12F, top);
  }

  /// One side of the court: arches of both floors with their columns, from `start` along `direction`.
  void add_side(Vec3 start, Vec3 direction, int bays) {
    const float bay = 4.4F;
    const Vec3 middle = Vec3{-direction.y, direction.x, 0} * 0.25F;
    shop_.use("arch");
    add_arcade(mesh_, {start, direction * bay, bays, 2.75F, upper_floor - 0.25F, 0.9F, 0.5F}, arch_);
    const Vec3 up{0, 0, upper_floor};
    add_arcade(mesh_, {start + up, direction * (0.5F * bay), 2 * bays, 3.1F, eaves - 0.3F - upper_floor, 0.45F, 0.5F},
               arch_);
    shop_.use("column");
    for (int i = 0; i <= 2 * bays; ++i) {
      const Vec3 foot = start + direction * (0.5F * bay * static_cast<float>(i)) + middle;
      if (i % 2 == 0) add_column(mesh_, foot, 0.3F, 2.75F, column_);
      add_column(mesh_, foot + up, 0.16F, 3.1F, 0.75F * column_);
    }
    shop_.use("arch");
    // A low parapet with an iron railing between the upper columns, and cornices above both floors.
    const Vec3 run = direction * (bay * static_cast<float>(bays));
    const Vec3 sill{0, 0, 0.25F};
    add_panel(mesh_, start + up, run, sill, wall_);
    add_panel(mesh_, start + up + middle * 2.0F, sill, run, wall_);
    add_panel(mesh_, start + up + sill, run, middle * 2.0F, wall_);
    const std::array<ProfilePoint, 6> profile{
        {{0.0F, -0.25F}, {0.05F, -0.2F}, {0.06F, -0.1F}, {0.16F, -0.04F}, {0.17F, 0.03F}, {0.0F, 0.06F}}};
    for (const float height : {upper_floor, eaves, top - 0.3F}) {
      add_cornice(mesh_, start + Vec3{0, 0, height}, run, profile, 2.0F * arch_);
    }
    shop_.use("iron");
    add_railing(mesh_, start + middle + up + sill, run, {0.65F, 0.2F, 0.008F, 12});
  }

  void add_sides() {
    // Arches lie to the left of the way around, which is clockwise: outside the court.
    add_side({inner_x, -inner_y, 0}, {-1, 0, 0}, 5);
    add_side({-inner_x, inner_y, 0}, {1, 0, 0}, 5);
    add_side({-inner_x, -2.2F, 0}, {0, 1, 0}, 1);
    add_side({inner_x, 2.2F, 0}, {0, -1, 0}, 1);
  }

  void add_ornaments() {
    shop_.use("column");
    for (const float side : {-1.0F, 1.0F}) {
      for (int i = 0; i < 5; ++i) {
        const float x = -8.8F + 4.4F * static_cast<float>(i);
        add_ring(mesh_, {x, side * inner_y, 12.4F}, {0, 1, 0}, {0.55F, 0.09F}, 0.4F * column_);
        add_ring(mesh_, {x, side * inner_y, 12.4F}, {0, 1, 0}, {0.3F, 0.05F}, 0.4F * column_);
        // A buttress behind each bay, so that the aisles are rooms.
        add_block(mesh_, {x - 2.4F, side * 6.9F - 0.3F, 0}, {x - 2.0F, side * 6.9F + 0.3F, eaves - 0.3F}, wall_);
      }
      // A shield on the end wall.
      const Vec3 boss{side * (half_x - 1.2F), 0, 2.4F};
      const std::array<ProfilePoint, 6> shield{
          {{0.9F, 0.0F}, {0.85F, 0.1F}, {0.7F, 0.06F}, {0.5F, 0.2F}, {0.2F, 0.3F}, {0.0F, 0.34F}}};
      mesh_.add_revolution(boss, smooth_profile(shield, pieces(1.2F, 0.5F * column_, 10)),
                           pieces(4.0F, 0.5F * column_, 16), {-side, 0, 0});
    }
  }

  /// Sixteen drapes in the lower aisles, ten in the upper ones.
  void add_cloth() {
    const int cells = shop_.count("drape_cells");
    for (const float side : {-1.0F, 1.0F}) {
      for (int i = 0; i < 8; ++i) {
        shop_.use(i % 2 == 0 ? "cloth" : "banner");
        add_drape(mesh_, {-9.35F + 2.4F * static_cast<float>(i), side * 3.25F, 4.6F}, {1.9F, 0, 0},
                  {3.0F, 3.0F, 0.18F, cells});
      }
      for (int i = 0; i < 5; ++i) {
        shop_.use(i % 2 == 0 ? "banner" : "cloth");
        add_drape(mesh_, {-8.98F + 3.84F * static_cast<float>(i), side * 3.35F, 9.8F}, {2.6F, 0, 0},
                  {3.0F, 3.0F, 0.18F, cells});
      }
    }
  }

  /// Twelve urns along the columns; their leaves make up the remaining triangles.
  void add_greenery() {
    std::array<Vec3, 12> foot;
    for (std::size_t i = 0; i < foot.size(); ++i) {
      const float x = (static_cast<float>(i % 6) - 2.5F) * 3.3F;
      foot[i] = {x, i < 6 ? -2.15F : 2.15F, 0};
    }
    shop_.use("urn");
    for (const Vec3 where : foot) add_urn(mesh_, where, 0.8F, column_);
    Dice dice = shop_.dice(1);
    shop_.use("leaf");
    constexpr std::size_t leaf = 4;
    const std::size_t wanted = shop_.missing();
    for (std::size_t i = 0; i < wanted / leaf; ++i) {
      const Vec3 out = dice.direction();
      const Vec3 from = foot[i % foot.size()] + Vec3{0, 0, 1.1F} + Vec3{0.42F, 0.42F, 0.5F} * out * dice.in(0.3F, 1.0F);
      const float long_by = shop_.setting("leaf_length") * dice.in(0.6F, 1.1F);
      const Vec3 along = normalize(out + dice.direction() * 0.6F) * long_by;
      add_leaf(mesh_, from, along, {0.55F * length(along), 0.2F, 2});
    }
    for (std::size_t i = 0; i < wanted % leaf; ++i) {
      const Vec3 from = foot[i] + Vec3{0, 0, 0.75F};
      add_blade(mesh_, from, from + Vec3{0.05F, 0.02F, 0.6F}, 0.04F);
    }
  }

  Workshop& shop_;
  MeshBuilder& mesh_;
  float wall_;
  float arch_;
  float column_;
};

void build(Workshop& workshop) { Courtyard(workshop).build(); }

}  // namespace

const Generator sponza_generator{"sponza", materials, settings, build};

}  // namespace reconverge::scenes
