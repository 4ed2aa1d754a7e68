#include <numbers>

#include "scenes/conference_parts.hpp"

namespace reconverge::scenes {

namespace {

constexpr float two_pi = 2.0F * std::numbers::pi_v<float>;

/// Twin wheels with rounded treads and hubs, and the hood above them.
void add_caster(MeshBuilder& builder, const ConferenceMaterials& materials, Vec3 foot, float heading) {
  const Vec3 axis{std::cos(heading), std::sin(heading), 0.0F};
  const std::array<ProfilePoint, 7> wheel{{{0.0F, 0.002F},
                                           {0.009F, 0.0F},
                                           {0.012F, 0.004F},
                                           {0.025F, 0.004F},
                                           {0.0275F, 0.011F},
                                           {0.025F, 0.018F},
                                           {0.0F, 0.016F}}};
  const auto tread = builder.smooth(wheel, 3);
  builder.use_material(materials.plastic);
  const Vec3 hub = foot + Vec3{0.0F, 0.0F, 0.0275F};
  builder.add_revolution(hub + axis * 0.003F, tread, builder.segments(24, 5), axis);
  builder.add_revolution(hub - axis * 0.003F, tread, builder.segments(24, 5), -axis);
  builder.use_material(materials.metal);
  const std::array<Vec3, 2> pin{hub - axis * 0.02F, hub + axis * 0.02F};
  builder.add_tube(pin, 0.003F, builder.segments(8, 3));
  builder.add_cushion(hub + Vec3{0.0F, 0.0F, 0.022F}, {0.012F, 0.012F, 0.014F}, 0.7F, builder.segments(12, 4),
                      builder.segments(8, 3));
}

void add_base(MeshBuilder& builder, const ConferenceMaterials& materials, bool fine_parts) {
  for (int arm = 0; arm < 5; ++arm) {
    const float angle = two_pi * (static_cast<float>(arm) + 0.25F) / 5.0F;
    const Vec3 out{std::cos(angle), std::sin(angle), 0.0F};
    const std::array<Vec3, 3> spine{Vec3{0, 0, 0.105F}, out * 0.15F + Vec3{0, 0, 0.095F},
                                    out * 0.3F + Vec3{0, 0, 0.065F}};
    builder.use_material(materials.metal);
    builder.add_tube(builder.smooth(spine, 5), 0.016F, builder.segments(10, 3));
    if (fine_parts) add_caster(builder, materials, out * 0.3F, angle + 0.9F * static_cast<float>(arm));
  }
  const std::array<ProfilePoint, 8> column{{{0.0F, 0.08F},
                                            {0.032F, 0.08F},
                                            {0.032F, 0.13F},
                                            {0.025F, 0.14F},
                                            {0.025F, 0.27F},
                                            {0.014F, 0.28F},
                                            {0.014F, 0.42F},
                                            {0.0F, 0.42F}}};
  builder.add_revolution({}, column, builder.segments(20, 4));
}

void add_mechanism(MeshBuilder& builder, const ConferenceMaterials& materials) {
  builder.use_material(materials.plastic);
  builder.add_cushion({0, 0, 0.42F}, {0.09F, 0.11F, 0.025F}, 0.3F, builder.segments(24, 4), builder.segments(10, 3));
  builder.use_material(materials.metal);
  const std::array<Vec3, 3> lever{Vec3{0.05F, 0.02F, 0.42F}, Vec3{0.18F, 0.03F, 0.418F}, Vec3{0.27F, 0.03F, 0.405F}};
  builder.add_tube(builder.smooth(lever, 6), 0.005F, builder.segments(8, 3));
  builder.use_material(materials.plastic);
  builder.add_cushion({0.28F, 0.03F, 0.403F}, {0.025F, 0.012F, 0.008F}, 0.6F, builder.segments(16, 4),
                      builder.segments(8, 3));
  // A hand wheel in front of the mechanism, ribbed.
  const int ribs = builder.segments(40, 6);
  builder.add_surface(
      [](float u, float v) {
        const float angle = two_pi * (u < 1.0F ? u : 0.0F);
        const float radius = 0.024F + 0.0015F * std::cos(10.0F * angle);
        const float ring = v < 0.25F ? v * 4.0F : (v > 0.75F ? (1.0F - v) * 4.0F : 1.0F);
        return Vec3{radius * ring * std::cos(angle), -0.12F - 0.02F * v, 0.425F + radius * ring * std::sin(angle)};
      },
      ribs, builder.segments(8, 4));
}

void add_upholstery(MeshBuilder& builder, const ConferenceMaterials& materials) {
  builder.use_material(materials.fabric);
  builder.add_cushion({0, 0.01F, 0.475F}, {0.25F, 0.24F, 0.042F}, 0.42F, builder.segments(40, 8),
                      builder.segments(14, 4));
  // The back leans and bends around the sitter: a cushion whose shape is laid on a curved sheet.
  const auto back = [](float depth) {
    return [depth](float u, float v) {
      const float side = 2.0F * u - 1.0F;
      const float height = 2.0F * v - 1.0F;
      const float thick = depth * std::sqrt(std::max(0.0F, (1.0F - std::pow(std::abs(side), 6.0F)) *
                                                               (1.0F - std::pow(std::abs(height), 6.0F))));
      const float width = 0.235F - 0.03F * v * v;
      const float bend = 0.05F * side * side + 0.02F * std::sin(3.0F * v);
      return Vec3{width * side, -0.245F - 0.1F * v + bend + thick, 0.58F + 0.44F * v};
    };
  };
  builder.add_surface(back(0.022F), builder.segments(22, 4), builder.segments(22, 4));
  builder.use_material(materials.plastic);
  builder.add_surface(back(-0.018F), builder.segments(18, 4), builder.segments(18, 4));
  builder.use_material(materials.metal);
  const std::array<Vec3, 4> stay{Vec3{0, -0.08F, 0.425F}, Vec3{0, -0.26F, 0.43F}, Vec3{0, -0.3F, 0.52F},
                                 Vec3{0, -0.29F, 0.72F}};
  builder.add_tube(builder.smooth(stay, 6), 0.017F, builder.segments(10, 3));
}

void add_arm(MeshBuilder& builder, const ConferenceMaterials& materials, float side) {
  const auto at = [side](float x, float y, float z) { return Vec3{side * x, y, z}; };
  const std::array<Vec3, 7> frame{at(0.1F, 0.02F, 0.43F),   at(0.26F, 0.02F, 0.435F), at(0.29F, 0.03F, 0.5F),
                                  at(0.285F, 0.1F, 0.655F), at(0.285F, 0.0F, 0.665F), at(0.285F, -0.12F, 0.66F),
                                  at(0.27F, -0.2F, 0.6F)};
  builder.use_material(materials.metal);
  builder.add_tube(builder.smooth(frame, 7), 0.0125F, builder.segments(10, 3));
  builder.use_material(materials.plastic);
  builder.add_cushion(at(0.285F, -0.01F, 0.685F), {0.03F, 0.14F, 0.014F}, 0.5F, builder.segments(24, 6),
                      builder.segments(10, 3));
}

}  // namespace

void add_chair(MeshBuilder& builder, const ConferenceMaterials& materials, const Placement& place, bool fine_parts) {
  builder.place(place);
  add_base(builder, materials, fine_parts);
  add_upholstery(builder, materials);
  if (fine_parts) add_mechanism(builder, materials);
  for (const float side : {-1.0F, 1.0F}) add_arm(builder, materials, side);
  builder.place({});
}

}  // namespace reconverge::scenes
