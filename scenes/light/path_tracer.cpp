// SPDX-License-Identifier: Apache-2.0
#include "scenes/light/path_tracer.hpp"

#include <fmt/format.h>

#include <atomic>
#include <future>
#include <iterator>
#include <numbers>

#include "models/core/error.hpp"
#include "scenes/light/light_sampler.hpp"
#include "scenes/light/reflection.hpp"
#include "scenes/sampler.hpp"
#include "scenes/structures/embree_scene.hpp"
#include "scenes/structures/precise_hit.hpp"

namespace reconverge::scenes {

namespace {

constexpr float pi = std::numbers::pi_v<float>;
/// Beyond every scene, and still safe to multiply.
constexpr float far_away = 1e30F;
/// Paths traced together; also the length of a run under `max_rays`.
constexpr std::uint64_t run_length = 1024;

Ray make_ray(Vec3 origin, Vec3 direction, float t_max) {
  return {{origin.x, origin.y, origin.z}, 0.0F, {direction.x, direction.y, direction.z}, t_max};
}

/// The weight of a contribution from the strategy with density `own`.
float power_heuristic(float own, float other) {
  const float ratio = other / own;
  return 1.0F / (1.0F + ratio * ratio);
}

/// One bounce of the paths of a run.
struct RunBounce {
  std::vector<Ray> rays;
  std::vector<PathSample> samples;
  std::vector<int> hit_triangle;
  std::vector<Ray> shadow_rays;
  std::vector<PathSample> shadow_samples;
  std::vector<std::uint8_t> blocked;
};
using Run = std::vector<RunBounce>;

/// A path between two bounces; its next ray has the same index in the bounce's stream.
struct PathState {
  std::uint32_t pixel;
  std::uint32_t sample;
  Vec3 throughput;
  /// Solid-angle density of a direction that a surface chose; 0 for the camera and ideal mirrors, whose directions no
  /// shadow ray can sample.
  float density = 0.0F;
  bool seen_diffuse = false;  ///< or a rough mirror
};

/// A hit surface, as seen by its ray.
struct Surface {
  Vec3 position;
  Vec3 normal;  ///< unit, on the side from which the ray came
  const Material* material;
};

/// The point at which a path meets a surface.
struct PathVertex {
  const PathState& path;
  Surface surface;
  Reflection reflection;
};

class Tracer {
 public:
  Tracer(const Mesh& mesh, const PathTracerOptions& options)
      : mesh_(mesh), options_(options), embree_(mesh), lights_(mesh) {
    const Box box = mesh.bounds();
    const Vec3 largest = max(max(box.high, -box.high), max(box.low, -box.low));
    // Rays start this far off the surface: well beyond the rounding of a hit's position.
    offset_ = std::ldexp(max_component(largest), -16);
    occlusion_distance_ = options.occlusion_distance * box.diagonal();
  }

  Run trace_run(std::uint64_t first_path, std::uint64_t count) const {
    Run run(options_.bounces);
    std::vector<PathState> paths = start(first_path, count, run[0]);
    std::vector<Hit> hits;
    for (std::uint32_t bounce = 0; bounce < options_.bounces && !paths.empty(); ++bounce) {
      RunBounce& now = run[bounce];
      hits.resize(now.rays.size());
      embree_.intersect(now.rays, hits);
      for (std::size_t i = 0; i < hits.size(); ++i) hits[i] = rounded_alike(now.rays[i], hits[i]);
      std::vector<PathState> going_on;
      for (std::size_t i = 0; i < paths.size(); ++i) {
        now.hit_triangle.push_back(hits[i].triangle);
        if (options_.occlusion_rays != 0) {
          look_around(paths[i], now.rays[i], hits[i], now.samples[i], now);
          continue;
        }
        weigh(paths[i], now.rays[i], hits[i], now.samples[i]);
        if (hits[i].triangle >= 0) scatter(vertex_at(paths[i], now.rays[i], hits[i]), bounce, run, going_on);
      }
      now.blocked.resize(now.shadow_rays.size());
      embree_.occluded(now.shadow_rays, now.blocked);
      paths = std::move(going_on);
    }
    return run;
  }

 private:
  std::vector<PathState> start(std::uint64_t first_path, std::uint64_t count, RunBounce& out) const {
    std::vector<PathState> paths;
    const float aspect = static_cast<float>(options_.width) / static_cast<float>(options_.height);
    const float share = 1.0F / static_cast<float>(options_.samples_per_pixel);
    for (std::uint64_t path = first_path; path < first_path + count; ++path) {
      const auto pixel = static_cast<std::uint32_t>(path / options_.samples_per_pixel);
      const auto sample = static_cast<std::uint32_t>(path % options_.samples_per_pixel);
      const auto [dx, dy] = Sampler(options_.seed, pixel, sample).pair(0);
      const std::uint32_t column = pixel % options_.width;
      const std::uint32_t row = pixel / options_.width;
      const float x = (static_cast<float>(column) + dx) / static_cast<float>(options_.width);
      const float y = (static_cast<float>(row) + dy) / static_cast<float>(options_.height);
      out.rays.push_back(camera_ray(mesh_.camera, aspect, x, y));
      out.samples.push_back({{share, share, share}, pixel});
      paths.push_back({pixel, sample, {share, share, share}});
    }
    return paths;
  }

  /// If an extension ray hits a light that a shadow ray also sampled, the power heuristic divides the contribution
  /// between them (Veach and Guibas, SIGGRAPH 1995).
  void weigh(const PathState& path, const Ray& ray, const Hit& hit, PathSample& sample) const {
    float share = 1.0F;
    if (path.density > 0.0F) {
      share = 0.0F;
      if (hit.triangle >= 0) {
        const auto triangle = static_cast<std::size_t>(hit.triangle);
        const float density = lights_.density(mesh_, triangle, to_vec3(ray.direction), hit.t);
        if (density > 0.0F) share = power_heuristic(path.density, density);
      }
    }
    for (float& weight : sample.weight) weight *= share;
  }

  /// The hit, with a distance and coordinates that do not depend on the host.
  Hit rounded_alike(const Ray& ray, const Hit& hit) const {
    if (hit.triangle < 0) return hit;
    const auto precise = meet_plane(mesh_.corners(static_cast<std::size_t>(hit.triangle)), ray);
    // Embree may still report a hit of a triangle that the ray meets edge-on.
    if (!precise) return hit;
    return {hit.triangle, static_cast<float>(precise->t), static_cast<float>(precise->u),
            static_cast<float>(precise->v)};
  }

  Surface surface_at(const Ray& ray, const Hit& hit) const {
    const auto triangle = static_cast<std::size_t>(hit.triangle);
    const auto corners = mesh_.corners(triangle);
    Vec3 normal = normalize(geometric_normal(corners));
    if (dot(normal, to_vec3(ray.direction)) > 0.0F) normal = -normal;
    const Vec3 position = corners[0] + (corners[1] - corners[0]) * hit.u + (corners[2] - corners[0]) * hit.v;
    return {position + normal * offset_, normal, &mesh_.material(triangle)};
  }

  PathVertex vertex_at(const PathState& path, const Ray& ray, const Hit& hit) const {
    const Surface surface = surface_at(ray, hit);
    return {path, surface,
            Reflection(*surface.material, surface.normal, -normalize(to_vec3(ray.direction)), path.seen_diffuse)};
  }

  void scatter(const PathVertex& vertex, std::uint32_t bounce, Run& run, std::vector<PathState>& going_on) const {
    const auto& [path, surface, reflection] = vertex;
    RunBounce* const next = bounce + 1 < options_.bounces ? &run[bounce + 1] : nullptr;
    const Sampler sampler(options_.seed, path.pixel, path.sample);
    const std::uint32_t dimension = 1 + 3 * bounce;
    const auto [lobe, light] = sampler.pair(dimension);
    if (!reflection.is_mirror(lobe)) {
      add_shadow_ray(vertex, light, sampler.pair(dimension + 1), next != nullptr, run[bounce]);
    }
    if (next == nullptr) return;
    const auto choice = reflection.choose(lobe, sampler.pair(dimension + 2));
    if (!choice) return;
    PathState onward = path;
    onward.throughput = path.throughput * choice->factor;
    onward.density = choice->density;
    onward.seen_diffuse = path.seen_diffuse || choice->density > 0.0F;
    if (!(max_component(onward.throughput) > 0.0F)) return;
    next->rays.push_back(make_ray(surface.position, choice->direction, far_away));
    const Vec3 weight = onward.throughput;
    next->samples.push_back({{weight.x, weight.y, weight.z}, path.pixel});
    going_on.push_back(onward);
  }

  /// Ambient occlusion: the surface that the camera ray hits emits no light, and rays from there that miss count as
  /// white.
  void look_around(const PathState& path, const Ray& ray, const Hit& hit, PathSample& sample, RunBounce& now) const {
    for (float& weight : sample.weight) weight = 0.0F;
    if (hit.triangle < 0) return;
    const Surface surface = surface_at(ray, hit);
    const Vec3 share = path.throughput * (1.0F / static_cast<float>(options_.occlusion_rays));
    for (std::uint32_t i = 0; i < options_.occlusion_rays; ++i) {
      const Sampler sampler(options_.seed, path.pixel, path.sample * options_.occlusion_rays + i);
      const Vec3 direction = cosine_direction(surface.normal, sampler.pair(1));
      now.shadow_rays.push_back(make_ray(surface.position, direction, occlusion_distance_));
      now.shadow_samples.push_back({{share.x, share.y, share.z}, path.pixel});
    }
  }

  /// `shared`: an extension ray follows, which may hit the same light.
  void add_shadow_ray(const PathVertex& vertex, float choice, std::array<float, 2> point, bool shared,
                      RunBounce& now) const {
    const auto& [path, surface, reflection] = vertex;
    const auto sample = lights_.sample(surface.position, surface.normal, choice, point);
    if (!sample) return;
    const Reflection::Value reflected = reflection.evaluate(sample->direction);
    const float share = shared ? power_heuristic(sample->density, reflected.density) : 1.0F;
    const Vec3 arriving = path.throughput * sample->light * reflected.weight * share;
    if (!(max_component(arriving) > 0.0F)) return;
    now.shadow_rays.push_back(make_ray(surface.position, sample->to_light, LightSampler::shadow_end));
    now.shadow_samples.push_back({{arriving.x, arriving.y, arriving.z}, path.pixel});
  }

  const Mesh& mesh_;
  const PathTracerOptions& options_;
  EmbreeScene embree_;
  LightSampler lights_;
  float offset_ = 0.0F;
  float occlusion_distance_ = 0.0F;
};

void check_options(const Mesh& mesh, const PathTracerOptions& options) {
  const auto need = [&mesh](bool good, const std::string& message, const std::string& hint) {
    if (!good) throw InputError({mesh.name}, message, hint);
  };
  need(options.width >= 1 && options.height >= 1 && std::uint64_t{options.width} * options.height <= (1U << 26U),
       fmt::format("a picture of {} x {} pixels", options.width, options.height), "give 1 to 67108864 pixels");
  need(options.samples_per_pixel >= 1 && options.samples_per_pixel <= 65536,
       fmt::format("{} samples per pixel", options.samples_per_pixel), "give 1 to 65536");
  need(options.bounces >= 1 && options.bounces <= 8, fmt::format("{} bounces", options.bounces), "give 1 to 8");
  need(options.occlusion_rays == 0 || options.bounces == 1,
       fmt::format("ambient occlusion with {} bounces", options.bounces), "set bounces to 1");
  need(options.occlusion_rays <= 4096, fmt::format("{} rays of ambient occlusion", options.occlusion_rays),
       "give 4096 at most");
  need(options.occlusion_distance > 0.0F && options.occlusion_distance <= 1.0F,
       fmt::format("ambient occlusion up to {} diagonals", options.occlusion_distance), "give a number in (0, 1]");
  const std::uint64_t paths = std::uint64_t{options.width} * options.height * options.samples_per_pixel;
  const std::uint64_t rays = paths * std::max<std::uint64_t>(1, options.occlusion_rays);
  const std::uint64_t followed = options.max_rays == 0 ? rays : std::min(rays, options.max_rays);
  need(followed <= 0x7FFFFFFFU, fmt::format("{} paths are more than a stream can hold", followed),
       "reduce the picture or its samples, or set max_rays");
}

/// First path and length of every run to trace.
std::vector<std::array<std::uint64_t, 2>> plan_runs(const PathTracerOptions& options) {
  const std::uint64_t paths = std::uint64_t{options.width} * options.height * options.samples_per_pixel;
  const std::uint64_t all = (paths + run_length - 1) / run_length;
  const std::uint64_t most = options.max_rays / std::max<std::uint64_t>(1, options.occlusion_rays);
  const bool limited = options.max_rays != 0 && most < paths;
  const std::uint64_t kept = limited ? std::max<std::uint64_t>(1, most / run_length) : all;
  std::vector<std::array<std::uint64_t, 2>> runs;
  for (std::uint64_t i = 0; i < kept; ++i) {
    const std::uint64_t first = i * all / kept * run_length;
    const std::uint64_t longest = limited ? std::clamp<std::uint64_t>(most, 1, run_length) : run_length;
    runs.push_back({first, std::min(longest, paths - first)});
  }
  return runs;
}

template <typename T>
void append(std::vector<T>& to, std::vector<T>& from) {
  to.insert(to.end(), from.begin(), from.end());
  from = {};
}

std::vector<Run> follow(const Mesh& mesh, const PathTracerOptions& options) {
  const Tracer tracer(mesh, options);
  const auto plan = plan_runs(options);
  std::vector<Run> runs(plan.size());
  // Threads share the runs; each run has its own slot in the result, so the order does not matter.
  std::atomic<std::size_t> next{0};
  const auto work = [&] {
    for (std::size_t i = next++; i < plan.size(); i = next++) runs[i] = tracer.trace_run(plan[i][0], plan[i][1]);
  };
  std::vector<std::future<void>> helpers;
  for (unsigned i = 1; i < options.threads; ++i) helpers.push_back(std::async(std::launch::async, work));
  work();
  for (std::future<void>& helper : helpers) helper.get();
  return runs;
}

}  // namespace

Ray camera_ray(const Camera& camera, float aspect, float x, float y) {
  const Vec3 forward = normalize(camera.look_at - camera.eye);
  const Vec3 right = normalize(cross(forward, camera.up));
  const Vec3 up = cross(right, forward);
  const float half = std::tan(camera.vertical_field_of_view * pi / 360.0F);
  const Vec3 direction = forward + right * ((2.0F * x - 1.0F) * half * aspect) + up * ((1.0F - 2.0F * y) * half);
  return make_ray(camera.eye, normalize(direction), far_away);
}

RayStreams trace_paths(const Mesh& mesh, const PathTracerOptions& options) {
  check_mesh(mesh);
  check_options(mesh, options);
  std::vector<Run> runs = follow(mesh, options);
  RayStreams streams{.scene = mesh.name,
                     .scene_triangles = mesh.triangle_count(),
                     .width = options.width,
                     .height = options.height,
                     .samples_per_pixel = options.samples_per_pixel,
                     .seed = options.seed,
                     .extension = std::vector<RayStream>(options.bounces),
                     .shadow = std::vector<RayStream>(options.bounces),
                     .picture = {}};
  std::vector<std::vector<int>> hit_triangle(options.bounces);
  std::vector<std::vector<std::uint8_t>> blocked(options.bounces);
  for (Run& run : runs) {
    for (std::size_t bounce = 0; bounce < options.bounces; ++bounce) {
      append(streams.extension[bounce].rays, run[bounce].rays);
      append(streams.extension[bounce].samples, run[bounce].samples);
      append(streams.shadow[bounce].rays, run[bounce].shadow_rays);
      append(streams.shadow[bounce].samples, run[bounce].shadow_samples);
      append(hit_triangle[bounce], run[bounce].hit_triangle);
      append(blocked[bounce], run[bounce].blocked);
    }
    run = {};
  }
  for (RayStream& stream : streams.extension) index_pixels(stream, streams.pixels(), mesh.name);
  for (RayStream& stream : streams.shadow) index_pixels(stream, streams.pixels(), mesh.name);
  streams.picture = sum_picture(streams, mesh, hit_triangle, blocked);
  return streams;
}

}  // namespace reconverge::scenes
