// SPDX-License-Identifier: Apache-2.0
#include "scenes/light/path_tracer.hpp"

#include <catch2/catch.hpp>
#include <cstring>
#include <numeric>
#include <set>

#include "scenes/generators/small_scenes.hpp"
#include "scenes/structures/embree_scene.hpp"
#include "scenes/structures/precise_hit.hpp"
#include "tests/unit/scenes/test_support.hpp"

using namespace reconverge::scenes;

namespace {

template <typename T>
bool same_bytes(const std::vector<T>& a, const std::vector<T>& b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(T)) == 0;
}

bool same(const RayStreams& a, const RayStreams& b) {
  bool equal = a.bounces() == b.bounces() && same_bytes(a.picture, b.picture);
  for (std::size_t i = 0; equal && i < a.bounces(); ++i) {
    equal = same_bytes(a.extension[i].rays, b.extension[i].rays) && same_bytes(a.shadow[i].rays, b.shadow[i].rays) &&
            same_bytes(a.extension[i].samples, b.extension[i].samples) &&
            same_bytes(a.shadow[i].samples, b.shadow[i].samples) &&
            a.extension[i].pixel_first == b.extension[i].pixel_first;
  }
  return equal;
}

double mean(const std::vector<float>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

}  // namespace

TEST_CASE("Two runs, with any number of threads, have equal bytes") {
  const Mesh mesh = box();
  PathTracerOptions options{.width = 48, .height = 32, .samples_per_pixel = 4, .bounces = 5, .threads = 1};
  const RayStreams once = trace_paths(mesh, options);
  CHECK(same(once, trace_paths(mesh, options)));
  options.threads = 3;
  CHECK(same(once, trace_paths(mesh, options)));
  options.seed = 2;
  CHECK_FALSE(same(once, trace_paths(mesh, options)));
}

TEST_CASE("Rays start at the last hit in double precision, on every host") {
  const Mesh mesh = box();
  const RayStreams streams = trace_paths(mesh, {.width = 48, .height = 32, .samples_per_pixel = 1, .bounces = 2});
  const RayStream& first = streams.extension[0];
  const RayStream& second = streams.extension[1];
  const std::vector<Hit> hits = EmbreeScene(mesh).intersect(first.rays);
  const Box bounds = mesh.bounds();
  const float offset =
      std::ldexp(max_component(max(max(bounds.high, -bounds.high), max(bounds.low, -bounds.low))), -16);
  REQUIRE(second.rays.size() > 500);
  std::size_t unlike_embree = 0;
  for (std::size_t i = 0; i < second.rays.size(); ++i) {
    // With one sample, each pixel has one ray in each stream.
    const std::size_t from = first.pixel_first[second.samples[i].pixel];
    const Hit& hit = hits[from];
    const auto corners = mesh.corners(static_cast<std::size_t>(hit.triangle));
    const auto precise = meet_plane(corners, first.rays[from]);
    REQUIRE(precise);
    const auto u = static_cast<float>(precise->u);
    const auto v = static_cast<float>(precise->v);
    Vec3 normal = normalize(geometric_normal(corners));
    if (dot(normal, to_vec3(first.rays[from].direction)) > 0.0F) normal = -normal;
    const Vec3 position = corners[0] + (corners[1] - corners[0]) * u + (corners[2] - corners[0]) * v;
    REQUIRE(to_vec3(second.rays[i].origin) == position + normal * offset);
    if (u != hit.u || v != hit.v) ++unlike_embree;
  }
  CHECK(unlike_embree > 0);  // Embree rounds each of its steps
}

TEST_CASE("The radiance of the white furnace matches the geometric series") {
  for (const float albedo : {0.0F, 0.5F, 0.9F}) {
    for (const std::uint32_t bounces : {1U, 3U}) {
      const RayStreams streams =
          trace_paths(furnace(albedo, 2.0F), {.width = 16, .height = 16, .samples_per_pixel = 64, .bounces = bounces});
      double expected = 0.0;
      for (std::uint32_t i = 0; i <= bounces; ++i) expected += 2.0 * std::pow(double(albedo), i);
      INFO("albedo " << albedo << ", bounces " << bounces);
      // The sphere is a polyhedron, so visibility in it is slightly uneven.
      CHECK(mean(streams.picture) == Approx(expected).epsilon(0.01));
    }
  }
}

TEST_CASE("A visible light has its radiance in the picture") {
  const RayStreams streams =
      trace_paths(one_triangle(), {.width = 33, .height = 33, .samples_per_pixel = 4, .bounces = 1});
  const std::size_t middle = 3 * (16 * 33 + 16);
  CHECK(streams.picture[middle] == 1.0F);
  CHECK(streams.picture[0] == 0.0F);
}

TEST_CASE("More samples do not change the mean of the picture") {
  const Mesh mesh = box();
  const auto with = [&mesh](std::uint32_t samples, std::uint32_t seed) {
    const RayStreams streams =
        trace_paths(mesh, {.width = 24, .height = 24, .samples_per_pixel = samples, .bounces = 4, .seed = seed});
    return mean(streams.picture);
  };
  CHECK(with(64, 1) == Approx(with(256, 9)).epsilon(0.03));
}

TEST_CASE("Streams are consistent: every pixel has its rays, weights are finite, directions are not zero") {
  const Mesh mesh = box();
  const RayStreams streams = trace_paths(mesh, {.width = 20, .height = 10, .samples_per_pixel = 3, .bounces = 8});
  REQUIRE(streams.bounces() == 8);
  CHECK(streams.extension[0].rays.size() == 600);
  CHECK(streams.scene_triangles == mesh.triangle_count());
  std::size_t previous = 600;
  for (std::size_t bounce = 0; bounce < 8; ++bounce) {
    CHECK(streams.extension[bounce].rays.size() <= previous);
    previous = streams.extension[bounce].rays.size();
    for (const RayStream* stream : {&streams.extension[bounce], &streams.shadow[bounce]}) {
      REQUIRE(stream->samples.size() == stream->rays.size());
      REQUIRE(stream->pixel_first.size() == 201);
      CHECK(stream->pixel_first.back() == stream->rays.size());
      for (std::uint32_t pixel = 0; pixel < 200; ++pixel) {
        for (std::uint32_t i = stream->pixel_first[pixel]; i < stream->pixel_first[pixel + 1]; ++i) {
          REQUIRE(stream->samples[i].pixel == pixel);
          REQUIRE(is_finite(to_vec3(stream->samples[i].weight)));
          REQUIRE(length(to_vec3(stream->rays[i].direction)) > 0.0F);
        }
      }
    }
  }
  CHECK(previous > 0);
}

TEST_CASE("The picture equals the sum over the streams, traced again") {
  const Mesh mesh = box();
  const RayStreams streams = trace_paths(mesh, {.width = 20, .height = 20, .samples_per_pixel = 8, .bounces = 4});
  const EmbreeScene scene(mesh);
  std::vector<std::vector<int>> hits(4);
  std::vector<std::vector<std::uint8_t>> blocked(4);
  for (std::size_t bounce = 0; bounce < 4; ++bounce) {
    for (const Hit& hit : scene.intersect(streams.extension[bounce].rays)) hits[bounce].push_back(hit.triangle);
    blocked[bounce] = scene.occluded(streams.shadow[bounce].rays);
  }
  CHECK(same_bytes(sum_picture(streams, mesh, hits, blocked), streams.picture));
  CHECK(mean(streams.picture) > 0.05);
}

TEST_CASE("A limit on the rays keeps runs of neighbours from all over the picture") {
  const Mesh mesh = box();
  const RayStreams streams =
      trace_paths(mesh, {.width = 128, .height = 128, .samples_per_pixel = 2, .bounces = 3, .max_rays = 8192});
  CHECK(streams.extension[0].rays.size() == 8192);
  std::set<std::uint32_t> rows;
  for (const PathSample& sample : streams.extension[0].samples) rows.insert(sample.pixel / 128);
  CHECK(rows.size() >= 8 * 4);
  CHECK(*rows.rbegin() > 100);
  const RayStreams few = trace_paths(mesh, {.width = 128, .height = 128, .samples_per_pixel = 2, .max_rays = 100});
  CHECK(few.extension[0].rays.size() == 100);
}

TEST_CASE("A mirror reflects the scene in front of it") {
  Mesh mesh = quad();
  mesh.materials = {{{0, 0, 0}, 1.0F, {0, 0, 0}, 0}, {{0, 0, 0}, 0.0F, {3, 3, 3}, 0}};
  mesh.material_names = {"mirror", "lamp"};
  // The lamp is above the camera, parallel to the mirror.
  for (const Vec3 corner : {Vec3{-9, -9, 4}, Vec3{9, -9, 4}, Vec3{0, 9, 4}}) mesh.positions.push_back(corner);
  mesh.triangles.push_back({4, 5, 6});
  mesh.material_of_triangle.push_back(1);
  const RayStreams streams = trace_paths(mesh, {.width = 9, .height = 9, .samples_per_pixel = 2, .bounces = 2});
  CHECK(streams.picture[3 * 40] == 3.0F);
  CHECK(streams.shadow[0].rays.empty());
}

TEST_CASE("Ambient occlusion is the unblocked share of the hemisphere") {
  // A large wall is at a right angle to a floor. Near the corner, it blocks half of the directions.
  Mesh mesh = quad();
  mesh.positions = {{-100, -100, 0}, {100, -100, 0}, {100, 0, 0}, {-100, 0, 0}, {-100, 0, 100}, {100, 0, 100}};
  mesh.triangles = {{0, 1, 2}, {0, 2, 3}, {3, 2, 5}, {3, 5, 4}};
  mesh.material_of_triangle.assign(4, 0);
  mesh.camera = {{0, -3, 5}, {0, -0.01F, 0}, {0, 0, 1}, 0.05F};
  PathTracerOptions options{.width = 8, .height = 8, .samples_per_pixel = 16, .bounces = 1};
  options.occlusion_rays = 16;
  const RayStreams near_corner = trace_paths(mesh, options);
  CHECK(near_corner.shadow[0].rays.size() == 8 * 8 * 16 * 16);
  CHECK(near_corner.extension[0].samples[0].weight[0] == 0.0F);
  CHECK(mean(near_corner.picture) == Approx(0.5).margin(0.01));
  // For rays that end before the wall, the floor is unoccluded.
  mesh.camera.look_at = {0, -50, 0};
  mesh.camera.eye = {0, -53, 5};
  CHECK(mean(trace_paths(mesh, options).picture) == Approx(1.0).margin(1e-5));
  options.occlusion_distance = 1.0F;
  CHECK(mean(trace_paths(mesh, options).picture) < 0.9);
  options.max_rays = 512;
  CHECK(trace_paths(mesh, options).shadow[0].rays.size() == 512);
}

TEST_CASE("Options out of range are refused") {
  const auto refused = [](const PathTracerOptions& options) { return refusal([&] { trace_paths(quad(), options); }); };
  CHECK(refused({.width = 0}).find("pixels") != std::string::npos);
  CHECK(refused({.samples_per_pixel = 0}).find("samples") != std::string::npos);
  CHECK(refused({.bounces = 9}).find("give 1 to 8") != std::string::npos);
  PathTracerOptions occlusion{.bounces = 2};
  occlusion.occlusion_rays = 4;
  CHECK(refused(occlusion).find("set bounces to 1") != std::string::npos);
  CHECK(refused({.width = 8192, .height = 8192, .samples_per_pixel = 64}).find("max_rays") != std::string::npos);
}

TEST_CASE("Samples of a pixel are stratified in every pair of dimensions") {
  for (const std::uint32_t dimension : {0U, 1U, 7U}) {
    std::set<int> cells;
    for (std::uint32_t sample = 0; sample < 64; ++sample) {
      const auto [x, y] = Sampler(3, 17, sample).pair(dimension);
      REQUIRE((x >= 0.0F && x < 1.0F && y >= 0.0F && y < 1.0F));
      cells.insert(static_cast<int>(x * 8.0F) * 8 + static_cast<int>(y * 8.0F));
    }
    // 64 points of a (0,2)-sequence are in 64 different cells of 8 by 8.
    CHECK(cells.size() == 64);
  }
}
