// SPDX-License-Identifier: Apache-2.0
// Dense foliage made of few plants, each placed many times: the plants are built once, in several variants, and copied
// into the mesh at each position.
#include <array>
#include <cmath>
#include <numbers>

#include "scenes/generators/generator.hpp"
#include "scenes/generators/vegetation.hpp"

namespace reconverge::scenes {

namespace {

constexpr std::array<std::string_view, 5> materials{"ground", "stem", "leaf", "reed", "grass"};

/// `half_side`: half side of the ground. `planted`: half side of the square with plants.
constexpr std::array<Setting, 6> settings{{{"half_side", 2.65, 0.5, 500},
                                           {"planted", 1.4, 0.2, 500},
                                           {"variants", 8, 1, 100},
                                           {"reeds", 0.12, 0, 1},
                                           {"leaves", 24, 1, 200},
                                           {"swell", 0.12, 0, 2}}};

/// A stem from the ground that bends to `tip`.
void add_stalk(MeshBuilder& mesh, Vec3 foot, Vec3 tip, float radius, int along) {
  const Vec3 middle = (foot + tip) * 0.5F + Vec3{0, 0, 0.2F * length(tip - foot)};
  const std::array<Vec3, 3> path{foot, middle, tip};
  mesh.add_pipe(smooth_path(path, along), radius, 0.6F * radius, 3);
}

class Field {
 public:
  explicit Field(Workshop& workshop) : shop_(workshop), mesh_(workshop.mesh), swell_(workshop.setting("swell")) {}

  void build() {
    shop_.use("ground");
    add_ground(mesh_, shop_.setting("half_side"), 24, swell_);
    std::vector<Part> herbs;
    std::vector<Part> reeds;
    Dice dice = shop_.dice(1);
    std::size_t largest = 0;
    for (int i = 0; i < shop_.count("variants"); ++i) {
      herbs.push_back(mesh_.record([&] { add_herb(dice); }));
      reeds.push_back(mesh_.record([&] { add_reed(dice); }));
      largest = std::max({largest, herbs.back().triangles.size(), reeds.back().triangles.size()});
    }
    place(herbs, reeds, largest);
  }

 private:
  /// Heart-shaped leaves on stalks, low and wide.
  void add_herb(Dice& dice) {
    for (int i = 0; i < shop_.count("leaves"); ++i) {
      const float around = dice.angle();
      const Vec3 out{std::cos(around), std::sin(around), 0};
      const Vec3 rise{0, 0, dice.in(0.1F, 0.38F)};
      const Vec3 tip = out * dice.in(0.04F, 0.24F) + rise;
      shop_.use("stem");
      add_stalk(mesh_, out * 0.01F, tip, 0.002F, 5);
      shop_.use("leaf");
      const float long_by = dice.in(0.14F, 0.21F);
      const Vec3 along = (out + Vec3{0, 0, dice.in(-0.3F, 0.5F)}) * long_by;
      add_leaf(mesh_, tip, along, {0.55F * length(along), dice.in(0.1F, 0.4F), 10});
    }
  }

  /// Upright canes with long leaves that hang over.
  void add_reed(Dice& dice) {
    for (int cane = 0; cane < 4; ++cane) {
      const Vec3 foot{dice.in(-0.12F, 0.12F), dice.in(-0.12F, 0.12F), 0};
      const float high = dice.in(0.8F, 1.5F);
      const Vec3 top = foot + Vec3{dice.in(-0.2F, 0.2F), dice.in(-0.2F, 0.2F), high};
      shop_.use("stem");
      const std::array<Vec3, 3> path{foot, (foot + top) * 0.5F, top};
      mesh_.add_pipe(smooth_path(path, 20), 0.009F, 0.004F, 5);
      shop_.use("reed");
      for (int i = 0; i < 12; ++i) {
        const float around = dice.angle();
        const Vec3 from = foot + (top - foot) * dice.in(0.25F, 1.0F);
        const float long_by = dice.in(0.25F, 0.42F);
        const Vec3 along = Vec3{std::cos(around), std::sin(around), dice.in(0.2F, 0.9F)} * long_by;
        add_leaf(mesh_, from, along, {0.03F, dice.in(0.2F, 0.7F), 12});
      }
    }
  }

  /// Places plants until the next might exceed the requested triangles, then grass for the rest.
  void place(const std::vector<Part>& herbs, const std::vector<Part>& reeds, std::size_t largest) {
    Dice dice = shop_.dice(2);
    const float reach = shop_.setting("planted");
    const auto somewhere = [&](float within) {
      const float x = dice.in(-within, within);
      const float y = dice.in(-within, within);
      return Vec3{x, y, ground_height(x, y, swell_)};
    };
    std::size_t left = shop_.missing();
    while (left >= largest) {
      const bool reed = dice.in(0.0F, 1.0F) < shop_.setting("reeds");
      const std::vector<Part>& parts = reed ? reeds : herbs;
      const Part& part = parts[static_cast<std::size_t>(dice.in(0.0F, static_cast<float>(parts.size())))];
      mesh_.place({somewhere(reach), dice.angle(), dice.in(0.7F, 1.15F)});
      mesh_.add_part(part);
      left -= part.triangles.size();
    }
    mesh_.place({});
    shop_.use("grass");
    for (; left > 0; --left) {
      const Vec3 foot = somewhere(1.3F * reach);
      const float to = dice.angle();
      const Vec3 tip = foot + Vec3{0.06F * std::cos(to), 0.06F * std::sin(to), dice.in(0.05F, 0.2F)};
      add_blade(mesh_, foot, tip, 0.012F);
    }
  }

  Workshop& shop_;
  MeshBuilder& mesh_;
  float swell_;
};

void build(Workshop& workshop) { Field(workshop).build(); }

}  // namespace

const Generator plants_generator{"plants", materials, settings, build};

}  // namespace reconverge::scenes
