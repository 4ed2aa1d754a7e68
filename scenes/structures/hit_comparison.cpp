// SPDX-License-Identifier: Apache-2.0
#include "scenes/structures/hit_comparison.hpp"

#include <fmt/format.h>

#include <optional>
#include <stdexcept>

#include "scenes/structures/double3.hpp"
#include "scenes/structures/precise_hit.hpp"

namespace reconverge::scenes {

namespace {

/// Shortest distance between the line o + t d and the segment from a to b.
double line_to_segment(Double3 o, Double3 d, Double3 a, Double3 b) {
  // Perpendicular to d, the line is a point; the segment's projection is a segment in that plane.
  const auto flatten = [d](Double3 v) { return v - d * (dot(v, d) / dot(d, d)); };
  const Double3 from = flatten(a - o);
  const Double3 along = flatten(b - a);
  const double square = dot(along, along);
  const double s = square > 0.0 ? std::clamp(-dot(from, along) / square, 0.0, 1.0) : 0.0;
  return length(from + along * s);
}

/// A ray against a triangle in double precision.
struct PreciseTest {
  double t = 0.0;           ///< where the ray meets the plane
  double slack_t = 0.0;     ///< tolerance of a single-precision distance
  bool inside = false;      ///< strictly a hit: inside the triangle and the ray's interval
  bool borderline = false;  ///< rounding may decide whether this is a hit
};

PreciseTest test_precisely(const Mesh& mesh, int triangle, const Ray& ray, const HitTolerance& tolerance) {
  const auto corners = mesh.corners(static_cast<std::size_t>(triangle));
  const Double3 a = widen(corners[0]);
  const Double3 b = widen(corners[1]);
  const Double3 c = widen(corners[2]);
  const Double3 o = widen(to_vec3(ray.origin));
  const Double3 d = widen(to_vec3(ray.direction));
  PreciseTest test;
  const double edge = std::min({line_to_segment(o, d, a, b), line_to_segment(o, d, b, c), line_to_segment(o, d, c, a)});
  const double reach = length(a - o) / length(d);
  const double size = length(o) + length(a) + length(a - o);
  const double slack = tolerance.coordinate_roundings * 0x1p-24 * size;
  test.borderline = edge <= slack;
  const auto hit = meet_plane(corners, ray);
  // A ray in the plane of the triangle has no single intersection point.
  if (!hit) {
    test.t = reach;
    test.slack_t = reach;
    return test;
  }
  test.t = hit->t;
  test.slack_t = tolerance.relative_distance * std::abs(test.t) + slack / (hit->cosine * length(d));
  const bool in_triangle = hit->u >= 0.0 && hit->v >= 0.0 && hit->u + hit->v <= 1.0;
  test.inside = in_triangle && test.t > ray.t_min && test.t < ray.t_max;
  const bool at_end = std::abs(test.t - ray.t_min) <= test.slack_t || std::abs(test.t - ray.t_max) <= test.slack_t;
  const bool in_interval = test.t > ray.t_min - test.slack_t && test.t < ray.t_max + test.slack_t;
  test.borderline = in_interval && (test.borderline || (at_end && in_triangle));
  return test;
}

enum class Verdict : std::uint8_t { equal, tie, edge, mismatch };

class Judge {
 public:
  Judge(const Mesh& mesh, const EmbreeScene& oracle, const HitTolerance& tolerance)
      : mesh_(mesh), oracle_(oracle), tolerance_(tolerance) {}

  HitComparison result;

  void closest(std::size_t index, const Ray& ray, const Hit& expected, const Hit& actual) {
    std::string reason;
    const Verdict verdict = judge_closest(ray, expected, actual, reason);
    count(verdict, index, expected, actual, reason);
  }

  void occlusion(std::size_t index, const Ray& ray, bool blocked, const Hit& actual) {
    const Hit expected{blocked ? 0 : -1, 0.0F, 0.0F, 0.0F};
    std::string reason;
    Verdict verdict = Verdict::equal;
    if (actual.triangle >= 0) {
      const auto own = genuine(ray, actual, reason, false);
      verdict = !own.has_value() ? Verdict::mismatch : (!blocked ? Verdict::edge : Verdict::equal);
      if (own.has_value() && !blocked && !own->borderline) {
        verdict = Verdict::mismatch;
        reason = "nothing blocks the ray";
      }
    } else if (blocked) {
      verdict = Verdict::edge;
      if (!only_borderline_before(ray, std::nullopt)) {
        verdict = Verdict::mismatch;
        reason = "a blocker was missed";
      }
    }
    count(verdict, index, expected, actual, reason);
  }

 private:
  Verdict judge_closest(const Ray& ray, const Hit& expected, const Hit& actual, std::string& reason) {
    if (actual.triangle < 0 && expected.triangle < 0) return Verdict::equal;
    std::optional<PreciseTest> own;
    if (actual.triangle >= 0) {
      own = genuine(ray, actual, reason, true);
      if (!own.has_value()) return Verdict::mismatch;
      if (actual.triangle == expected.triangle) {
        if (own->t != 0.0) {
          const double error = std::abs(actual.t - own->t) / std::abs(own->t);
          result.max_relative_distance_error = std::max(result.max_relative_distance_error, error);
        }
        return Verdict::equal;
      }
      if (expected.triangle >= 0 && std::abs(double(actual.t) - expected.t) <= 2.0 * own->slack_t) return Verdict::tie;
      if (expected.triangle < 0 || actual.t < expected.t) {
        if (own->borderline) return Verdict::edge;
        reason = "the ray does not hit this triangle before the expected one";
        return Verdict::mismatch;
      }
    }
    if (only_borderline_before(ray, own.has_value() ? std::optional<Hit>(actual) : std::nullopt)) return Verdict::edge;
    reason = "a nearer triangle was missed";
    return Verdict::mismatch;
  }

  /// The double-precision test of a reported hit; empty, with the reason, if it is not a hit.
  std::optional<PreciseTest> genuine(const Ray& ray, const Hit& hit, std::string& reason, bool check_distance) const {
    if (static_cast<std::size_t>(hit.triangle) >= mesh_.triangle_count()) {
      reason = "there is no such triangle";
      return std::nullopt;
    }
    const PreciseTest test = test_precisely(mesh_, hit.triangle, ray, tolerance_);
    if (!test.inside && !test.borderline) {
      reason = "the ray misses this triangle";
      return std::nullopt;
    }
    if (check_distance && !(std::abs(hit.t - test.t) <= test.slack_t)) {
      reason = fmt::format("the distance is {} and not {}", hit.t, test.t);
      return std::nullopt;
    }
    return test;
  }

  /// Follows the oracle from hit to hit: whether all hits before `stop` (or all hits) are borderline.
  bool only_borderline_before(Ray ray, const std::optional<Hit>& stop) const {
    for (int step = 0; step < 64; ++step) {
      Hit next{};
      oracle_.intersect({&ray, 1}, {&next, 1});
      if (next.triangle < 0) return !stop.has_value();
      const PreciseTest test = test_precisely(mesh_, next.triangle, ray, tolerance_);
      if (stop.has_value() && (next.triangle == stop->triangle || next.t >= stop->t - 2.0 * test.slack_t)) return true;
      if (!test.borderline) return false;
      ray.t_min = std::nextafter(next.t, INFINITY);
    }
    return false;
  }

  void count(Verdict verdict, std::size_t index, const Hit& expected, const Hit& actual, std::string& reason) {
    ++result.rays;
    switch (verdict) {
      case Verdict::equal:
        ++result.equal;
        break;
      case Verdict::tie:
        ++result.ties;
        break;
      case Verdict::edge:
        ++result.edges;
        break;
      case Verdict::mismatch:
        ++result.mismatches;
        if (result.examples.size() < 8) result.examples.push_back({index, expected, actual, std::move(reason)});
        break;
    }
  }

  const Mesh& mesh_;
  const EmbreeScene& oracle_;
  const HitTolerance& tolerance_;
};

void check_lengths(std::span<const Ray> rays, std::span<const Hit> actual) {
  if (rays.size() != actual.size()) throw std::invalid_argument("as many hits as rays are needed");
}

}  // namespace

HitComparison compare_hits(const Mesh& mesh, const EmbreeScene& oracle, std::span<const Ray> rays,
                           std::span<const Hit> actual, const HitTolerance& tolerance) {
  check_lengths(rays, actual);
  const std::vector<Hit> expected = oracle.intersect(rays);
  Judge judge(mesh, oracle, tolerance);
  for (std::size_t i = 0; i < rays.size(); ++i) judge.closest(i, rays[i], expected[i], actual[i]);
  return judge.result;
}

HitComparison compare_occlusion(const Mesh& mesh, const EmbreeScene& oracle, std::span<const Ray> rays,
                                std::span<const Hit> actual, const HitTolerance& tolerance) {
  check_lengths(rays, actual);
  const std::vector<std::uint8_t> blocked = oracle.occluded(rays);
  Judge judge(mesh, oracle, tolerance);
  for (std::size_t i = 0; i < rays.size(); ++i) judge.occlusion(i, rays[i], blocked[i] != 0, actual[i]);
  return judge.result;
}

std::string to_string(const HitComparison& c) {
  std::string text = fmt::format("{} rays: {} equal, {} ties, {} at an edge, {} mismatches; distance within {:.2g}",
                                 c.rays, c.equal, c.ties, c.edges, c.mismatches, c.max_relative_distance_error);
  for (const HitMismatch& m : c.examples) {
    text += fmt::format("\n  ray {}: expected triangle {} at {}, got {} at {}: {}", m.ray, m.expected.triangle,
                        m.expected.t, m.actual.triangle, m.actual.t, m.reason);
  }
  return text;
}

}  // namespace reconverge::scenes
