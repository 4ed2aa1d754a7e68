// SPDX-License-Identifier: Apache-2.0
#include "scenes/generators/shapes.hpp"

#include <numbers>
#include <utility>

namespace reconverge::scenes {

namespace {

constexpr float two_pi = 2.0F * std::numbers::pi_v<float>;

/// Cosine and sine of a part of a full turn; a whole turn ends exactly where it began.
std::array<float, 2> turn(float part) {
  const float angle = part < 1.0F ? two_pi * part : 0.0F;
  return {std::cos(angle), std::sin(angle)};
}

/// A power that keeps the sign; it turns an ellipsoid's circles into rounded squares. Values that are zero except for
/// rounding stay zero, because a small exponent would magnify them.
float signed_power(float base, float exponent) {
  return std::abs(base) < 1e-6F ? 0.0F : std::copysign(std::pow(std::abs(base), exponent), base);
}

template <typename T, typename Blend>
std::vector<T> catmull_rom(std::span<const T> points, int pieces, Blend&& blend) {
  std::vector<T> path;
  const auto last = static_cast<std::ptrdiff_t>(points.size()) - 1;
  const auto at = [&](std::ptrdiff_t i) {
    return points[static_cast<std::size_t>(std::clamp<std::ptrdiff_t>(i, 0, last))];
  };
  for (int piece = 0; piece < pieces; ++piece) {
    // Whole numbers keep the points themselves exact.
    const std::ptrdiff_t span = piece * last / pieces;
    const float s = static_cast<float>(piece * last % pieces) / static_cast<float>(pieces);
    const std::array<float, 4> weights{0.5F * s * (-1.0F + s * (2.0F - s)), 0.5F * (2.0F + s * s * (-5.0F + 3.0F * s)),
                                       0.5F * s * (1.0F + s * (4.0F - 3.0F * s)), 0.5F * s * s * (s - 1.0F)};
    path.push_back(blend(std::array<T, 4>{at(span - 1), at(span), at(span + 1), at(span + 2)}, weights));
  }
  path.push_back(points.back());
  return path;
}

}  // namespace

Vec3 Placement::apply(Vec3 local) const {
  const float c = std::cos(angle);
  const float s = std::sin(angle);
  return origin + Vec3{c * local.x - s * local.y, s * local.x + c * local.y, local.z} * scale;
}

MeshBuilder::MeshBuilder(std::string name, float detail) : detail_(detail) { mesh_.name = std::move(name); }

std::uint32_t MeshBuilder::add_material(std::string name, Vec3 albedo, float mirror, Vec3 emission, float roughness) {
  mesh_.materials.push_back({{albedo.x, albedo.y, albedo.z}, mirror, {emission.x, emission.y, emission.z}, roughness});
  mesh_.material_names.push_back(std::move(name));
  return static_cast<std::uint32_t>(mesh_.materials.size() - 1);
}

int MeshBuilder::segments(int base, int least) const {
  return std::max(least, static_cast<int>(std::lround(static_cast<float>(base) * detail_)));
}

std::vector<Vec3> MeshBuilder::smooth(std::span<const Vec3> points, int base) const {
  const int spans = static_cast<int>(points.size()) - 1;
  return smooth_path(points, segments(spans * base, spans));
}

std::vector<ProfilePoint> MeshBuilder::smooth(std::span<const ProfilePoint> points, int base) const {
  const int spans = static_cast<int>(points.size()) - 1;
  return smooth_profile(points, segments(spans * base, spans));
}

std::vector<Vec3> MeshBuilder::bend(std::span<const Vec3> corners, float radius, float step) const {
  std::vector<Vec3> path{corners.front()};
  for (std::size_t i = 1; i + 1 < corners.size(); ++i) {
    const Vec3 before = corners[i] - corners[i - 1];
    const Vec3 after = corners[i + 1] - corners[i];
    const Vec3 in = normalize(before);
    const Vec3 out = normalize(after);
    const float turned = std::atan2(length(cross(in, out)), dot(in, out));
    // The distance from the start of the arc to the corner; two arcs share a straight segment.
    const float most = 0.49F * std::min(length(before), length(after));
    const float lead = std::min(radius * std::tan(0.5F * turned), most);
    if (lead < 1e-5F) {
      path.push_back(corners[i]);
      continue;
    }
    const float reach = lead / std::tan(0.5F * turned);
    const Vec3 inward = normalize(out - in * dot(in, out));
    const Vec3 start = corners[i] - in * lead;
    const int pieces = std::max(1, static_cast<int>(std::lround(turned * reach * detail_ / step)));
    for (int piece = 0; piece <= pieces; ++piece) {
      const float angle = turned * static_cast<float>(piece) / static_cast<float>(pieces);
      path.push_back(start + in * (reach * std::sin(angle)) + inward * (reach * (1.0F - std::cos(angle))));
    }
  }
  path.push_back(corners.back());
  return path;
}

std::uint32_t MeshBuilder::add_vertex(Vec3 local) {
  mesh_.positions.push_back(placement_.apply(local));
  return static_cast<std::uint32_t>(mesh_.positions.size() - 1);
}

void MeshBuilder::add_triangle(std::uint32_t a, std::uint32_t b, std::uint32_t c) {
  mesh_.triangles.push_back({a, b, c});
  mesh_.material_of_triangle.push_back(material_);
}

void MeshBuilder::add_quad(std::uint32_t a, std::uint32_t b, std::uint32_t c, std::uint32_t d) {
  add_triangle(a, b, c);
  add_triangle(a, c, d);
}

void MeshBuilder::add_surface(const std::function<Vec3(float, float)>& surface, int nu, int nv) {
  const auto first = static_cast<std::uint32_t>(mesh_.positions.size());
  const auto at = [first, nv](int i, int j) { return first + static_cast<std::uint32_t>(i * (nv + 1) + j); };
  for (int i = 0; i <= nu; ++i) {
    for (int j = 0; j <= nv; ++j) {
      add_vertex(
          surface(static_cast<float>(i) / static_cast<float>(nu), static_cast<float>(j) / static_cast<float>(nv)));
    }
  }
  for (int i = 0; i < nu; ++i) {
    for (int j = 0; j < nv; ++j) add_quad(at(i, j), at(i + 1, j), at(i + 1, j + 1), at(i, j + 1));
  }
}

void MeshBuilder::add_corner_triangle(Vec3 a, Vec3 b, Vec3 c) {
  const std::uint32_t first = add_vertex(a);
  add_vertex(b);
  add_vertex(c);
  add_triangle(first, first + 1, first + 2);
}

void MeshBuilder::add_polygon(std::span<const Vec3> corners) {
  const auto first = static_cast<std::uint32_t>(mesh_.positions.size());
  for (const Vec3 corner : corners) add_vertex(corner);
  for (std::uint32_t i = 2; i < corners.size(); ++i) add_triangle(first, first + i - 1, first + i);
}

Part MeshBuilder::record(const std::function<void()>& make) {
  const auto vertices = static_cast<std::ptrdiff_t>(mesh_.positions.size());
  const auto triangles = static_cast<std::ptrdiff_t>(mesh_.triangles.size());
  const Placement placement = std::exchange(placement_, {});
  make();
  placement_ = placement;
  Part part{{mesh_.positions.begin() + vertices, mesh_.positions.end()},
            {mesh_.triangles.begin() + triangles, mesh_.triangles.end()},
            {mesh_.material_of_triangle.begin() + triangles, mesh_.material_of_triangle.end()}};
  recorded_ += part.triangles.size();
  for (TriangleIndices& triangle : part.triangles) {
    for (std::uint32_t& corner : triangle) corner -= static_cast<std::uint32_t>(vertices);
  }
  mesh_.positions.resize(static_cast<std::size_t>(vertices));
  mesh_.triangles.resize(static_cast<std::size_t>(triangles));
  mesh_.material_of_triangle.resize(static_cast<std::size_t>(triangles));
  return part;
}

void MeshBuilder::add_part(const Part& part) {
  const auto base = static_cast<std::uint32_t>(mesh_.positions.size());
  for (const Vec3 position : part.positions) add_vertex(position);
  for (const TriangleIndices& t : part.triangles) mesh_.triangles.push_back({base + t[0], base + t[1], base + t[2]});
  mesh_.material_of_triangle.insert(mesh_.material_of_triangle.end(), part.material_of_triangle.begin(),
                                    part.material_of_triangle.end());
  placed_ += part.triangles.size();
}

void MeshBuilder::add_rectangle(Vec3 corner, Vec3 u, Vec3 v, int nu, int nv) {
  add_surface([=](float s, float t) { return corner + u * s + v * t; }, nu, nv);
}

void MeshBuilder::add_box(Vec3 low, Vec3 high) {
  std::array<std::uint32_t, 8> corner{};
  for (std::uint32_t i = 0; i < 8; ++i) {
    corner[i] =
        add_vertex({(i & 1U) != 0 ? high.x : low.x, (i & 2U) != 0 ? high.y : low.y, (i & 4U) != 0 ? high.z : low.z});
  }
  constexpr std::array<std::array<std::size_t, 4>, 6> faces{
      {{0, 4, 6, 2}, {1, 3, 7, 5}, {0, 1, 5, 4}, {2, 6, 7, 3}, {0, 2, 3, 1}, {4, 5, 7, 6}}};
  for (const auto& face : faces) add_quad(corner[face[0]], corner[face[1]], corner[face[2]], corner[face[3]]);
}

void MeshBuilder::add_cushion(Vec3 centre, Vec3 half_size, float roundness, int around, int along) {
  const auto surface = [=](float u, float v) {
    const auto [c, s] = turn(u);
    const float latitude = std::numbers::pi_v<float> * (v - 0.5F);
    const float ring = signed_power(std::cos(latitude), roundness);
    return centre + half_size * Vec3{ring * signed_power(c, roundness), ring * signed_power(s, roundness),
                                     signed_power(std::sin(latitude), roundness)};
  };
  add_surface(surface, around, along);
}

void MeshBuilder::add_revolution(Vec3 centre, std::span<const ProfilePoint> profile, int around, Vec3 axis) {
  const int last = static_cast<int>(profile.size()) - 1;
  const auto [side, other] = tangent_frame(axis);
  const auto surface = [&, side = side, other = other](float u, float v) {
    const ProfilePoint& point = profile[static_cast<std::size_t>(std::lround(v * static_cast<float>(last)))];
    const auto [c, s] = turn(u);
    return centre + (side * c + other * s) * point.radius + axis * point.height;
  };
  add_surface(surface, around, last);
}

void MeshBuilder::add_tube(std::span<const Vec3> path, float radius, int around) {
  const auto last = path.size() - 1;
  const auto tangent = [&](std::size_t i) { return normalize(path[std::min(i + 1, last)] - path[i == 0 ? 0 : i - 1]); };
  // The frame is carried along the path, so that the tube does not twist where the path bends.
  Vec3 side = tangent_frame(tangent(0))[0];
  std::vector<std::uint32_t> previous;
  std::vector<std::uint32_t> ring(static_cast<std::size_t>(around));
  const auto cap = [this](Vec3 centre, std::span<const std::uint32_t> rim, bool start) {
    const std::uint32_t middle = add_vertex(centre);
    for (std::size_t k = 0; k < rim.size(); ++k) {
      const std::uint32_t a = rim[k];
      const std::uint32_t b = rim[(k + 1) % rim.size()];
      add_triangle(middle, start ? b : a, start ? a : b);
    }
  };
  for (std::size_t i = 0; i <= last; ++i) {
    const Vec3 forward = tangent(i);
    side = normalize(side - forward * dot(side, forward));
    const Vec3 other = cross(forward, side);
    for (int k = 0; k < around; ++k) {
      const float angle = two_pi * static_cast<float>(k) / static_cast<float>(around);
      ring[static_cast<std::size_t>(k)] =
          add_vertex(path[i] + (side * std::cos(angle) + other * std::sin(angle)) * radius);
    }
    if (i == 0) cap(path[0], ring, true);
    for (std::size_t k = 0; k < previous.size(); ++k) {
      const std::size_t next = (k + 1) % previous.size();
      add_quad(previous[k], previous[next], ring[next], ring[k]);
    }
    previous = ring;
  }
  cap(path[last], ring, false);
}

void MeshBuilder::add_pipe(std::span<const Vec3> path, float first_radius, float last_radius, int around) {
  const std::size_t last = path.size() - 1;
  const auto surface = [&](float u, float v) {
    const auto i = static_cast<std::size_t>(std::lround(v * static_cast<float>(last)));
    const Vec3 along = path[std::min(i + 1, last)] - path[i == 0 ? 0 : i - 1];
    const auto [side, other] = tangent_frame(normalize(along));
    const auto [c, s] = turn(u);
    return path[i] + (side * c + other * s) * (first_radius + (last_radius - first_radius) * v);
  };
  add_surface(surface, around, static_cast<int>(last));
}

std::size_t MeshBuilder::tidy() {
  repair(mesh_);
  return mesh_.triangle_count();
}

Mesh MeshBuilder::finish(const Camera& camera) && {
  mesh_.camera = camera;
  mesh_.copies = placed_ - std::min(placed_, recorded_);
  tidy();
  return std::move(mesh_);
}

std::vector<Vec3> smooth_path(std::span<const Vec3> points, int pieces) {
  return catmull_rom(points, pieces, [](const std::array<Vec3, 4>& p, const std::array<float, 4>& w) {
    return p[0] * w[0] + p[1] * w[1] + p[2] * w[2] + p[3] * w[3];
  });
}

std::vector<ProfilePoint> smooth_profile(std::span<const ProfilePoint> points, int pieces) {
  return catmull_rom(points, pieces, [](const std::array<ProfilePoint, 4>& p, const std::array<float, 4>& w) {
    ProfilePoint sum{0.0F, 0.0F};
    for (std::size_t i = 0; i < 4; ++i) {
      sum.radius += p[i].radius * w[i];
      sum.height += p[i].height * w[i];
    }
    sum.radius = std::max(sum.radius, 0.0F);
    return sum;
  });
}

}  // namespace reconverge::scenes
