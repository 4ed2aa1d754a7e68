// SPDX-License-Identifier: Apache-2.0
// A hall of three floors under a grid of beams, 24 x 14 x 13 m, with uniform tessellation: no region is empty, and none
// is much denser than the others.
#include <array>
#include <cmath>

#include "scenes/generators/architecture.hpp"
#include "scenes/generators/generator.hpp"
#include "scenes/generators/vegetation.hpp"

namespace reconverge::scenes {

namespace {

constexpr std::array<std::string_view, 8> materials{"floor", "wall", "arch", "column", "beam", "rail", "urn", "leaf"};

constexpr std::array<Setting, 1> settings{{{"grain", 0.1, 0.03, 2}}};

constexpr float half_x = 12.0F;
constexpr float half_y = 7.0F;
constexpr float inner_x = 8.8F;  ///< half size of the part that is open from the floor to the beams
constexpr float inner_y = 4.4F;
constexpr float storey = 4.0F;
constexpr int storeys = 3;
constexpr float height = storey * storeys;
constexpr float bay = 2.2F;

class Hall {
 public:
  explicit Hall(Workshop& workshop) : shop_(workshop), mesh_(workshop.mesh), grain_(workshop.setting("grain")) {}

  void build() {
    shop_.use("floor");
    add_panel(mesh_, {-half_x, -half_y, 0}, {2 * half_x, 0, 0}, {0, 2 * half_y, 0}, grain_);
    shop_.use("wall");
    for (const float side : {-1.0F, 1.0F}) {
      add_panel(mesh_, {-half_x, side * half_y, 0}, {2 * half_x, 0, 0}, {0, 0, height}, grain_);
      add_panel(mesh_, {side * half_x, -half_y, 0}, {0, 2 * half_y, 0}, {0, 0, height}, grain_);
    }
    for (int floor = 0; floor < storeys; ++floor) add_storey(storey * static_cast<float>(floor));
    add_beams();
    add_greenery();
  }

 private:
  void add_side(Vec3 start, Vec3 direction, int bays, bool upstairs) {
    const Vec3 run = direction * (bay * static_cast<float>(bays));
    const Vec3 inside = Vec3{-direction.y, direction.x, 0} * 0.15F;
    shop_.use("arch");
    add_arcade(mesh_, {start, direction * bay, bays, 2.4F, storey - 0.2F, 0.4F, 0.3F}, grain_);
    shop_.use("column");
    for (int i = 0; i < bays; ++i) {
      add_column(mesh_, start + direction * (bay * static_cast<float>(i)) + inside, 0.16F, 2.4F, grain_);
    }
    if (!upstairs) return;
    shop_.use("rail");
    add_railing(mesh_, start + inside, run, {1.0F, 0.22F, 0.025F, pieces(1.0F, grain_)});
  }

  void add_storey(float low) {
    const bool upstairs = low > 0.0F;
    add_side({inner_x, -inner_y, low}, {-1, 0, 0}, 8, upstairs);
    add_side({-inner_x, inner_y, low}, {1, 0, 0}, 8, upstairs);
    add_side({-inner_x, -inner_y, low}, {0, 1, 0}, 4, upstairs);
    add_side({inner_x, inner_y, low}, {0, -1, 0}, 4, upstairs);
    // The ceiling of this floor, and the floor above it.
    shop_.use("floor");
    const float high = low + storey;
    for (const float side : {-1.0F, 1.0F}) {
      const float y = side < 0 ? -half_y : inner_y;
      add_block(mesh_, {-half_x, y, high - 0.2F}, {half_x, y + half_y - inner_y, high}, grain_);
      const float x = side < 0 ? -half_x : inner_x;
      add_block(mesh_, {x, -inner_y, high - 0.2F}, {x + half_x - inner_x, inner_y, high}, grain_);
    }
  }

  /// A grid of beams below the sky, which is a light of the description.
  void add_beams() {
    shop_.use("beam");
    for (int i = 0; i <= 8; ++i) {
      const float x = -inner_x + bay * static_cast<float>(i);
      add_block(mesh_, {x - 0.1F, -inner_y, height}, {x + 0.1F, inner_y, height + 0.4F}, grain_);
    }
    for (int i = 0; i <= 4; ++i) {
      const float y = -inner_y + bay * static_cast<float>(i);
      add_block(mesh_, {-inner_x, y - 0.08F, height + 0.1F}, {inner_x, y + 0.08F, height + 0.3F}, grain_);
    }
  }

  /// Urns on the floor; leaves make up the remaining triangles.
  void add_greenery() {
    std::array<Vec3, 10> foot;
    for (std::size_t i = 0; i < foot.size(); ++i) {
      foot[i] = {(static_cast<float>(i % 5) - 2.0F) * 3.2F, i < 5 ? -2.4F : 2.4F, 0};
    }
    shop_.use("urn");
    for (const Vec3 where : foot) add_urn(mesh_, where, 0.9F, grain_);
    Dice dice = shop_.dice(1);
    shop_.use("leaf");
    const std::size_t wanted = shop_.missing();
    for (std::size_t i = 0; i < wanted; ++i) {
      const Vec3 from = foot[i % foot.size()] + Vec3{dice.in(-0.2F, 0.2F), dice.in(-0.2F, 0.2F), 0.8F};
      const Vec3 out = dice.direction();
      add_blade(mesh_, from, from + Vec3{0.5F * out.x, 0.5F * out.y, 0.4F + 0.4F * std::abs(out.z)}, 0.06F);
    }
  }

  Workshop& shop_;
  MeshBuilder& mesh_;
  float grain_;
};

void build(Workshop& workshop) { Hall(workshop).build(); }

}  // namespace

const Generator atrium_generator{"atrium", materials, settings, build};

}  // namespace reconverge::scenes
