// SPDX-License-Identifier: Apache-2.0
// Two dense figures in a clearing of a wide, sparse forest: half of the triangles are in one cubic metre of a scene
// that is 120 m wide.
#include <array>
#include <cmath>

#include "scenes/generators/fairy.hpp"
#include "scenes/generators/vegetation.hpp"

namespace reconverge::scenes {

namespace {

constexpr std::array<std::string_view, 9> materials{"ground", "bark", "foliage", "grass", "mushroom",
                                                    "skin",   "hair", "dress",   "wing"};

constexpr std::array<Setting, 6> settings{{{"trees", 48, 0, 2000},
                                           {"mushrooms", 40, 0, 1000},
                                           {"large_grain", 0.0094, 0.003, 0.2},
                                           {"small_grain", 0.0146, 0.003, 0.2},
                                           {"ground_cells", 100, 10, 1000},
                                           {"swell", 0.75, 0, 3}}};

constexpr float half_side = 60.0F;

class Forest {
 public:
  explicit Forest(Workshop& workshop) : shop_(workshop), mesh_(workshop.mesh), swell_(workshop.setting("swell")) {}

  void build() {
    shop_.use("ground");
    add_ground(mesh_, half_side, shop_.count("ground_cells"), swell_);
    add_figures();
    add_mushrooms();
    add_trees();
    add_grass();
  }

 private:
  Vec3 on_ground(float x, float y) const { return {x, y, ground_height(x, y, swell_)}; }

  void add_figures() {
    mesh_.place({on_ground(0.25F, 0.0F), 0.75F, 1.05F});
    add_fairy(shop_, shop_.setting("large_grain"));
    mesh_.place({on_ground(-0.55F, -0.35F) + Vec3{0, 0, 0.36F}, 1.1F, 0.41F});
    add_fairy(shop_, shop_.setting("small_grain"));
    mesh_.place({});
  }

  /// Cap and stem, most of them near the figures; the first carries the smaller one.
  void add_mushrooms() {
    Dice dice = shop_.dice(1);
    shop_.use("mushroom");
    for (int i = 0; i < shop_.count("mushrooms"); ++i) {
      const float away = i == 0 ? 0.65F : 0.9F + 10.0F * std::pow(dice.in(0.0F, 1.0F), 2.0F);
      const float around = dice.angle();
      const Vec3 foot =
          i == 0 ? on_ground(-0.55F, -0.35F) : on_ground(away * std::cos(around), away * std::sin(around));
      const float high = i == 0 ? 0.29F : dice.in(0.14F, 0.28F);
      const float wide = i == 0 ? 0.25F : dice.in(0.12F, 0.27F);
      const std::array<ProfilePoint, 6> cap{{{0.25F * wide, -0.02F},
                                             {0.7F * wide, -0.035F},
                                             {wide, -0.02F},
                                             {0.9F * wide, 0.03F},
                                             {0.5F * wide, 0.065F},
                                             {0.0F, 0.075F}}};
      mesh_.add_revolution(foot + Vec3{0, 0, high}, smooth_profile(cap, 10), 20);
      const std::array<ProfilePoint, 4> stem{
          {{0.3F * wide, -0.05F}, {0.2F * wide, 0.3F * high}, {0.2F * wide, 0.7F * high}, {0.27F * wide, high}}};
      mesh_.add_revolution(foot, smooth_profile(stem, 8), 12);
    }
  }

  void add_trees() {
    Dice dice = shop_.dice(2);
    for (int i = 0; i < shop_.count("trees"); ++i) {
      // A jittered spiral keeps them apart; its square root spreads them evenly over the ring.
      const float part = (static_cast<float>(i) + dice.in(0.1F, 0.9F)) / static_cast<float>(shop_.count("trees"));
      const float away = std::sqrt(16.0F * 16.0F + part * (55.0F * 55.0F - 16.0F * 16.0F));
      const float around = 2.3999632F * static_cast<float>(i) + dice.in(-0.3F, 0.3F);
      const float high = dice.in(8.0F, 13.3F);
      const Tree tree{high, dice.in(1.6F, 2.6F), 12, 14, 2, 160, 0.85F, {2.3F, 2.3F, 0.26F * high}};
      mesh_.place({on_ground(away * std::cos(around), away * std::sin(around)), dice.angle()});
      add_tree(mesh_, dice, tree, shop_.material("bark"), shop_.material("foliage"));
    }
    mesh_.place({});
  }

  /// Fills up the requested triangles with tufts, densest near the figures.
  void add_grass() {
    Dice dice = shop_.dice(3);
    shop_.use("grass");
    for (std::size_t left = shop_.missing(); left > 0; --left) {
      const float away = 0.6F + 11.4F * std::pow(dice.in(0.0F, 1.0F), 1.6F);
      const float around = dice.angle();
      const Vec3 foot = on_ground(away * std::cos(around), away * std::sin(around)) - Vec3{0, 0, 0.05F};
      const float to = dice.angle();
      const float lean = dice.in(0.03F, 0.2F);
      const Vec3 tip = foot + Vec3{lean * std::cos(to), lean * std::sin(to), dice.in(0.22F, 0.5F)};
      add_blade(mesh_, foot, tip, dice.in(0.14F, 0.32F));
    }
  }

  Workshop& shop_;
  MeshBuilder& mesh_;
  float swell_;
};

void build(Workshop& workshop) { Forest(workshop).build(); }

}  // namespace

const Generator forest_generator{"forest", materials, settings, build};

}  // namespace reconverge::scenes
