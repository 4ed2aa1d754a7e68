// SPDX-License-Identifier: Apache-2.0
#include "scenes/files/scene_manifest.hpp"

#include <fmt/format.h>

#include <boost/json/parse.hpp>
#include <boost/json/value.hpp>

#include "models/core/digest.hpp"
#include "models/core/error.hpp"
#include "models/core/input_file.hpp"

namespace reconverge::scenes {

namespace {

namespace json = boost::json;

Vec3 read_vector(const json::value& value) {
  const json::array& list = value.as_array();
  const auto at = [&list](std::size_t i) { return list.at(i).to_number<float>(); };
  return {at(0), at(1), at(2)};
}

SceneManifest read_entry(const std::filesystem::path& manifest, const json::object& object) {
  SceneManifest entry{manifest, {}, {}, {}};
  if (const json::value* camera = object.if_contains("camera")) {
    entry.camera = Camera{read_vector(camera->at("eye")), read_vector(camera->at("lookat")),
                          read_vector(camera->at("up")), camera->at("fov").to_number<float>()};
  }
  if (const json::value* digest = object.if_contains("sha256")) entry.sha256 = digest->as_string().c_str();
  if (const json::value* count = object.if_contains("triangles")) entry.triangles = count->to_number<std::uint64_t>();
  return entry;
}

}  // namespace

std::optional<SceneManifest> manifest_of(const std::filesystem::path& file, OutsideFiles outside) {
  const std::filesystem::path manifest = named_file(file.parent_path(), "manifest.json", outside, {file.string()});
  if (std::error_code error; !std::filesystem::exists(manifest, error)) return std::nullopt;
  const std::string text = read_input(manifest, input::scene_list);
  try {
    const json::value parsed = json::parse(text);
    for (const json::value& entry : parsed.as_array()) {
      const json::object& object = entry.as_object();
      const json::value* name = object.if_contains("file");
      if (name != nullptr && name->as_string() == file.filename().string()) return read_entry(manifest, object);
    }
  } catch (const std::exception& error) {
    throw InputError({manifest.string()}, fmt::format("cannot be read as a list of scenes: {}", error.what()),
                     "correct it or move it away");
  }
  return std::nullopt;
}

void check_manifest(const SceneManifest& manifest, const std::filesystem::path& file, std::uint64_t triangles) {
  const auto refuse = [&](const std::string& what) {
    throw InputError({file.string()},
                     fmt::format("it is not the file that {} describes: {}", manifest.path.string(), what),
                     "correct its entry there, or remove that");
  };
  if (manifest.triangles && *manifest.triangles != triangles)
    refuse(fmt::format("{} triangles instead of {}", triangles, *manifest.triangles));
  if (!manifest.sha256) return;
  if (const std::string digest = sha256_of_file(file); digest != *manifest.sha256)
    refuse(fmt::format("its SHA-256 is {} instead of {}", digest, *manifest.sha256));
}

}  // namespace reconverge::scenes
