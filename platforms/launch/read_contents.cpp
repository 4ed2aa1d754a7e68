// SPDX-License-Identifier: Apache-2.0
#include "platforms/launch/read_contents.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <limits>
#include <system_error>

#include "models/core/input_file.hpp"
#include "models/core/quantity.hpp"
#include "platforms/launch/generate.hpp"
#include "platforms/launch/npy.hpp"
#include "platforms/launch/plan_memory.hpp"
#include "platforms/launch/png.hpp"
#include "scenes/files/ray_stream_file.hpp"
#include "scenes/files/vox_file.hpp"
#include "scenes/light/path_tracer.hpp"
#include "scenes/structures/structure_cache.hpp"

namespace reconverge::launch {

namespace {

constexpr std::array<std::string_view, 6> sources{"npy", "raw", "values", "fill", "range", "random"};

/// The key of the one source that is given.
std::optional<Value> source_of(const Fields& fields, std::string_view& name) {
  std::optional<Value> found;
  for (const std::string_view key : sources) {
    const std::optional<Value> value = fields.find(key);
    if (!value) continue;
    if (found) value->refuse(fmt::format("{} is given, too", name), "keep one of the two");
    found = value;
    name = key;
  }
  return found;
}

ElementType known_type(const Value& source, std::optional<ElementType> type) {
  if (!type)
    source.refuse("the type of the elements is not known", "add `type:`, one of u8 to u64, s8 to s64, f16, f32, f64");
  return *type;
}

std::uint64_t known_count(const Value& source, std::optional<std::uint64_t> count) {
  if (!count) source.refuse("the number of elements is not known", "add `count:` or `shape:`");
  return *count;
}

/// Contents exist on the host and on the device. Small ones are counted with all others when the plan is complete.
void check_room(const Value& source, ElementType type, std::uint64_t count) {
  constexpr std::uint64_t small = std::uint64_t{64} << 20U;
  const bool is_known = count <= std::numeric_limits<std::uint64_t>::max() / 2 / bytes_of(type);
  const std::uint64_t bytes = is_known ? count * bytes_of(type) : std::numeric_limits<std::uint64_t>::max() / 2;
  if (bytes < small) return;
  MemoryNeed need;
  need.add("buffer", 2 * bytes);
  source.about([&] { check_memory(need, smaller_plan); });
}

/// The same for the whole file. An inaccessible file is refused by its reader.
void check_room_for_file(const Value& source, const std::string& file) {
  std::error_code error;
  const std::uintmax_t size = std::filesystem::file_size(file, error);
  if (!error) check_room(source, ElementType::u8, size);
}

Contents from_npy(const Value& source, std::optional<ElementType> type, std::vector<std::string>& files) {
  const std::string file = source.existing_file();
  files.push_back(file);
  check_room_for_file(source, file);
  NpyArray array = source.about([&] { return read_npy(file); });
  if (type && *type != array.type) {
    source.refuse(fmt::format("{} holds elements of {}, not of {}", file, to_string(array.type), to_string(*type)),
                  "give the type of the file, or convert the file with numpy's astype");
  }
  Contents contents;
  contents.type = array.type;
  contents.count = array.count();
  contents.shape = std::move(array.shape);
  contents.has_shape = true;
  contents.bytes = std::move(array.data);
  contents.against = file;
  return contents;
}

Contents from_raw(const Value& source, const Fields& fields, ElementType type, std::optional<std::uint64_t> count,
                  std::vector<std::string>& files) {
  const std::string file = source.existing_file();
  files.push_back(file);
  return source.about([&] {
    InputFile input(file, input::array);
    const std::uint64_t offset = fields.has("offset") ? fields.at("offset").size() : 0;
    if (offset > input.size()) fields.at("offset").refuse(fmt::format("{} has {} bytes only", file, input.size()));
    std::uint64_t length = input.size() - offset;
    if (fields.has("length")) {
      if (fields.at("length").size() > length) {
        fields.at("length").refuse(fmt::format("{} has {} bytes after the offset", file, length));
      }
      length = fields.at("length").size();
    } else if (count) {
      length = std::min(length, *count * bytes_of(type));
    }
    if (length % bytes_of(type) != 0) {
      source.refuse(fmt::format("{} bytes are no whole number of elements of {}", length, to_string(type)),
                    "give another length");
    }
    check_room(source, ElementType::u8, length);
    Contents contents;
    contents.type = type;
    contents.count = length / bytes_of(type);
    contents.bytes.resize(length);
    input.skip(offset);
    if (input.read({reinterpret_cast<char*>(contents.bytes.data()), contents.bytes.size()}) != length) {
      source.refuse(fmt::format("{} became shorter while it was read", file), "read it when it is complete");
    }
    contents.against = file;
    return contents;
  });
}

Contents from_values(const Value& source, ElementType type) {
  const std::vector<Value> items = source.items();
  Contents contents;
  contents.type = type;
  contents.count = items.size();
  contents.bytes.resize(items.size() * bytes_of(type));
  for (std::size_t i = 0; i < items.size(); ++i) {
    store_element(type, contents.bytes.data() + i * bytes_of(type), items[i].element(type));
  }
  contents.against = "values";
  return contents;
}

std::string text_or(const Fields& fields, std::string_view key, std::string_view otherwise) {
  const auto value = fields.find(key);
  return value ? value->text() : std::string(otherwise);
}

Contents generated(const Value& source, std::string_view name, ElementType type, std::uint64_t count) {
  check_room(source, type, count);
  Contents contents;
  contents.type = type;
  contents.count = count;
  contents.against = name;
  if (name == "fill") {
    contents.bytes = filled(type, count, source.element(type));
  } else if (name == "range") {
    const Fields range = source.fields(range_keys());
    contents.bytes =
        source.about([&] { return ranged(type, count, text_or(range, "start", "0"), text_or(range, "step", "1")); });
  } else {
    const Fields random = source.fields(random_keys());
    const std::uint64_t seed = random.has("seed") ? random.at("seed").whole() : 1;
    const std::string to = random.at("to").text();
    contents.bytes = source.about([&] { return randomised(type, count, seed, text_or(random, "from", "0"), to); });
  }
  return contents;
}

/// Records of 4-byte elements. Some mix two types; `type` is the type of most elements.
template <typename Record>
Contents records(ElementType type, const std::vector<Record>& values) {
  Contents contents;
  contents.type = type;
  contents.record = sizeof(Record) / bytes_of(type);
  const auto bytes = std::as_bytes(std::span(values));
  contents.bytes.assign(bytes.begin(), bytes.end());
  contents.count = contents.bytes.size() / bytes_of(type);
  return contents;
}

std::uint64_t whole_or(const Fields& fields, std::string_view key, std::uint64_t otherwise, std::uint64_t least,
                       std::uint64_t most) {
  const auto value = fields.find(key);
  return value ? value->whole(least, most) : otherwise;
}

constexpr std::uint64_t most_bounces = 8;
constexpr std::uint64_t most_samples = 4096;
constexpr std::uint64_t most_paths = std::uint64_t{1} << 24;  // some GB, and about a minute of tracing
constexpr std::uint64_t most_seed = 0xffffffff;

/// Width and height.
std::pair<std::uint32_t, std::uint32_t> picture_size(const Fields& fields) {
  return {static_cast<std::uint32_t>(whole_or(fields, "width", 64, 1, most_pixels)),
          static_cast<std::uint32_t>(whole_or(fields, "height", 48, 1, most_pixels))};
}

}  // namespace

std::optional<Contents> read_contents(const Fields& fields, std::optional<ElementType> type,
                                      std::optional<std::uint64_t> count, std::vector<std::string>& files) {
  std::string_view name;
  const std::optional<Value> source = source_of(fields, name);
  for (const std::string_view key : {"offset", "length"}) {
    if (name != "raw" && fields.has(key)) fields.at(key).refuse("this goes with raw only", "remove it");
  }
  if (!source) return {};
  if (name == "npy") return from_npy(*source, type, files);
  const ElementType known = known_type(*source, type);
  if (name == "raw") return from_raw(*source, fields, known, count, files);
  if (name == "values") return from_values(*source, known);
  return generated(*source, name, known, known_count(*source, count));
}

SceneCache::Scene& SceneCache::scene(const Fields& fields) {
  const Value name = fields.at("scene");
  const std::string text = name.text();
  const auto flag = fields.find("outside_files");
  const bool outside = flag && flag->about([&] { return parse_flag(flag->text()); });
  const auto known = scenes_.find({text, outside});
  if (known != scenes_.end()) return known->second;
  scenes::SceneOptions options;
  if (outside) options.outside = scenes::OutsideFiles::allowed;
  Scene loaded{name.about([&] { return scenes::load_scene(text, options); }), {}, {}};
  for (const std::filesystem::path& file : name.about([&] { return scenes::scene_files(text, options.outside); })) {
    files_.push_back(file.generic_string());
  }
  return scenes_.emplace(std::pair(text, outside), std::move(loaded)).first->second;
}

const scenes::RayStreams& SceneCache::streams(const Fields& fields, std::uint64_t bounces) {
  if (const auto rays = fields.find("rays")) {
    for (const std::string_view key : {"width", "height", "samples", "seed", "outside_files"}) {
      if (fields.has(key)) fields.at(key).refuse("a file of rays has its own", "remove it");
    }
    const std::string file = rays->existing_file();
    const StreamKey key{file, 0, 0, 0, 0, 0};
    if (streams_.count(key) == 0) {
      files_.push_back(file);
      check_room_for_file(*rays, file);
      streams_.emplace(key, rays->about([&] { return scenes::load_streams(file); }));
    }
    return streams_.at(key);
  }
  const Value name = fields.at("scene");
  scenes::PathTracerOptions options;
  std::tie(options.width, options.height) = picture_size(fields);
  options.samples_per_pixel = static_cast<std::uint32_t>(whole_or(fields, "samples", 1, 1, most_samples));
  options.seed = static_cast<std::uint32_t>(whole_or(fields, "seed", 1, 0, most_seed));
  options.bounces = static_cast<std::uint32_t>(bounces);
  const std::uint64_t paths = std::uint64_t{options.width} * options.height * options.samples_per_pixel;
  if (paths > most_paths) {
    name.refuse(fmt::format("{} paths to trace", paths),
                fmt::format("at most {} are traced here: lower width, height or samples", most_paths));
  }
  const StreamKey key{name.text(), options.width, options.height, options.samples_per_pixel, options.seed, bounces};
  if (streams_.count(key) == 0) streams_.emplace(key, scenes::trace_paths(scene(fields).loaded.mesh, options));
  return streams_.at(key);
}

const scenes::RayStream& SceneCache::stream(const Fields& fields) {
  const std::uint64_t bounce = whole_or(fields, "bounce", 1, 1, most_bounces);
  const scenes::RayStreams& all = streams(fields, bounce);
  if (bounce > all.bounces()) {
    fields.at("bounce").refuse(fmt::format("the rays have {} bounces only", all.bounces()));
  }
  const auto kind = fields.find("kind");
  static constexpr std::array<std::string_view, 2> kinds{"extension", "shadow"};
  const bool shadow = kind && kind->choice(kinds) == 1;
  return (shadow ? all.shadow : all.extension)[bounce - 1];
}

/// A .vox file has its own voxels; for other scenes they are built.
const scenes::Grid& SceneCache::grid(const Fields& fields) {
  const Value name = fields.at("scene");
  Scene& scene = this->scene(fields);
  if (!scene.grid) {
    const std::filesystem::path file(name.text());
    if (file.extension() == ".vox" && scene.loaded.repairs.dropped() != 0)
      name.refuse("triangles of the file cannot be traced and were dropped, but its grid has them");
    scene.grid = name.about([&] {
      return file.extension() == ".vox" ? scenes::load_vox(file).grid
                                        : scenes::StructureCache().grid(scene.loaded.mesh);
    });
  }
  return *scene.grid;
}

Contents SceneCache::grid_part(const Fields& fields, std::string_view part) {
  const scenes::Grid& grid = this->grid(fields);
  if (part == "grid_frame") return records(ElementType::f32, std::vector{grid.frame});
  if (part == "grid_first") return records(ElementType::u32, grid.first);
  if (part == "grid_cell_triangles") return records(ElementType::s32, grid.cell_triangles);
  return records(ElementType::f32, grid.triangles);
}

Contents SceneCache::part(const Fields& fields) {
  const Value source = fields.has("scene") ? fields.at("scene") : fields.at("rays");
  const auto wanted = fields.find("part");
  const std::string_view part = wanted ? scene_parts()[wanted->choice(scene_parts())] : "rays";
  if (part == "rays") return records(ElementType::f32, stream(fields).rays);
  if (part == "samples") return records(ElementType::f32, stream(fields).samples);
  if (part == "pixel_first") return records(ElementType::u32, stream(fields).pixel_first);
  if (!fields.has("scene")) wanted->refuse(fmt::format("a file of rays has no {}", part), "give `scene:` instead");
  Scene& scene = this->scene(fields);
  const scenes::Mesh& mesh = scene.loaded.mesh;
  if (part == "materials") return records(ElementType::f32, mesh.materials);
  if (part == "material_of_triangle") return records(ElementType::u32, mesh.material_of_triangle);
  if (part == "camera") {
    const auto [width, height] = picture_size(fields);
    return records(ElementType::f32, std::vector{scenes::eye_frame(mesh.camera, width, height)});
  }
  if (part.starts_with("grid_")) return grid_part(fields, part);
  if (!scene.bvh) scene.bvh = source.about([&] { return scenes::StructureCache().bvh(mesh); });
  if (part == "nodes") return records(ElementType::f32, scene.bvh->nodes);
  if (part == "triangles") return records(ElementType::f32, scene.bvh->rows);
  return records(ElementType::s32, scene.bvh->triangle_of_row);
}

}  // namespace reconverge::launch
