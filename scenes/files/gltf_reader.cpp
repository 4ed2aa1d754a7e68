// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <boost/json/parse.hpp>
#include <boost/json/value.hpp>
#include <cstring>
#include <new>
#include <numbers>
#include <optional>
#include <set>
#include <vector>

#include "models/core/error.hpp"
#include "scenes/files/gltf_buffers.hpp"

namespace reconverge::scenes {

namespace json = boost::json;

namespace {

/// Limits files in which a few nodes instantiate a large mesh many times.
constexpr std::size_t most_triangles = std::size_t{1} << 25U;
constexpr unsigned most_levels = 256;
constexpr std::size_t none = static_cast<std::size_t>(-1);

/// An affine map, row by row.
class Transform {
 public:
  Vec3 point(Vec3 p) const { return apply(p, 1); }
  Vec3 direction(Vec3 p) const { return apply(p, 0); }

  Transform operator*(const Transform& inner) const {
    Transform result;
    for (std::size_t r = 0; r < 3; ++r) {
      for (std::size_t c = 0; c < 4; ++c) {
        double sum = c == 3 ? rows_[r][3] : 0;
        for (std::size_t k = 0; k < 3; ++k) sum += rows_[r][k] * inner.rows_[k][c];
        result.rows_[r][c] = sum;
      }
    }
    return result;
  }

  /// `matrix`, or `translation`, `rotation` (a quaternion) and `scale` of a node.
  static Transform of(const json::object& node) {
    Transform result;
    if (node.contains("matrix")) {
      const auto m = numbers<16>(node, "matrix", {});
      for (std::size_t r = 0; r < 3; ++r) {
        for (std::size_t c = 0; c < 4; ++c) result.rows_[r][c] = m[4 * c + r];
      }
      return result;
    }
    const auto t = numbers<3>(node, "translation", {});
    const auto [x, y, z, w] = numbers<4>(node, "rotation", {0, 0, 0, 1});
    const auto s = numbers<3>(node, "scale", {1, 1, 1});
    result.rows_ = {{{(1 - 2 * (y * y + z * z)) * s[0], 2 * (x * y - z * w) * s[1], 2 * (x * z + y * w) * s[2], t[0]},
                     {2 * (x * y + z * w) * s[0], (1 - 2 * (x * x + z * z)) * s[1], 2 * (y * z - x * w) * s[2], t[1]},
                     {2 * (x * z - y * w) * s[0], 2 * (y * z + x * w) * s[1], (1 - 2 * (x * x + y * y)) * s[2], t[2]}}};
    return result;
  }

  template <std::size_t count>
  static std::array<double, count> numbers(const json::object& object, std::string_view key,
                                           std::array<double, count> otherwise) {
    const json::value* list = object.if_contains(key);
    if (list == nullptr) return otherwise;
    if (!list->is_array() || list->get_array().size() != count) {
      gltf_refuse(fmt::format("{} is not a list of {} numbers", key, count));
    }
    std::array<double, count> result{};
    for (std::size_t i = 0; i < count; ++i) result[i] = list->get_array()[i].to_number<double>();
    return result;
  }

 private:
  Vec3 apply(Vec3 p, double w) const {
    const auto row = [&](std::size_t r) {
      return static_cast<float>(rows_[r][0] * p.x + rows_[r][1] * p.y + rows_[r][2] * p.z + rows_[r][3] * w);
    };
    return {row(0), row(1), row(2)};
  }

  std::array<std::array<double, 4>, 3> rows_{{{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}}};
};

Vec3 to_vec3(const std::array<double, 3>& v) {
  return {static_cast<float>(v[0]), static_cast<float>(v[1]), static_cast<float>(v[2])};
}

const json::array& list_of(const json::object& object, std::string_view key) {
  static const json::array empty;
  const json::value* list = object.if_contains(key);
  return list == nullptr ? empty : list->as_array();
}

const json::object& part_of(const json::object& object, std::string_view key) {
  static const json::object empty;
  const json::value* part = object.if_contains(key);
  return part == nullptr ? empty : part->as_object();
}

class GltfReader {
 public:
  GltfReader(const SceneFile& file, const json::object& document, std::string_view attached, LoadedMesh& into)
      : document_(document), buffers_(file, document, attached), into_(into) {}

  bool read() {
    for (const json::value& extension : list_of(document_, "extensionsRequired")) {
      gltf_refuse(
          fmt::format("it requires the extension {}, which is not read", std::string_view(extension.as_string())));
    }
    for (const json::value& material : list_of(document_, "materials")) read_material(material.as_object());
    if (document_.contains("scenes")) {
      read_children(gltf_item(document_, "scenes", gltf_index(document_, "scene", 0)), "nodes", {}, 0);
    } else {
      for (std::size_t i = 0; i < list_of(document_, "nodes").size(); ++i) {
        if (seen_.count(i) == 0) read_node(i, {}, 0);
      }
    }
    return has_camera_;
  }

 private:
  void read_material(const json::object& material) {
    const json::object& surface = part_of(material, "pbrMetallicRoughness");
    const auto colour = Transform::numbers<4>(surface, "baseColorFactor", {1, 1, 1, 1});
    const auto number = [&surface](std::string_view key) {
      const json::value* value = surface.if_contains(key);
      return value == nullptr ? 1.0F : value->to_number<float>();
    };
    const float metallic = number("metallicFactor");
    const float roughness = number("roughnessFactor");
    const auto emission = Transform::numbers<3>(material, "emissiveFactor", {});
    const json::object& strength = part_of(part_of(material, "extensions"), "KHR_materials_emissive_strength");
    const json::value* factor = strength.if_contains("emissiveStrength");
    const auto scale = factor == nullptr ? 1.0 : factor->to_number<double>();
    const json::value* name = material.if_contains("name");
    // The reflectance at normal incidence of a dielectric, and of a metal in its colour (glTF 2.0, appendix B.2).
    const Vec3 base = to_vec3({colour[0], colour[1], colour[2]});
    const float mirror = 0.04F * (1.0F - metallic) + luminance(base) * metallic;
    add_material(into_.mesh, name == nullptr ? "" : std::string(std::string_view(name->as_string())),
                 {base, to_vec3({emission[0] * scale, emission[1] * scale, emission[2] * scale}), mirror,
                  roughness * roughness});
  }

  // NOLINTNEXTLINE(misc-no-recursion): most_levels deep
  void read_children(const json::object& parent, std::string_view key, const Transform& transform, unsigned level) {
    if (level > most_levels) gltf_refuse(fmt::format("nodes are nested more than {} deep", most_levels));
    for (const json::value& child : list_of(parent, key)) read_node(child.to_number<std::size_t>(), transform, level);
  }

  // NOLINTNEXTLINE(misc-no-recursion): most_levels deep
  void read_node(std::size_t index, const Transform& parent, unsigned level) {
    const json::object& node = gltf_item(document_, "nodes", index);
    if (!seen_.insert(index).second) gltf_refuse(fmt::format("node {} comes twice", index));
    const Transform transform = parent * Transform::of(node);
    if (const std::size_t mesh = gltf_index(node, "mesh", none); mesh != none) {
      for (const json::value& primitive : list_of(gltf_item(document_, "meshes", mesh), "primitives")) {
        read_primitive(primitive.as_object(), transform);
      }
    }
    if (const std::size_t camera = gltf_index(node, "camera", none); camera != none && !has_camera_) {
      read_camera(gltf_item(document_, "cameras", camera), transform);
    }
    read_children(node, "children", transform, level + 1);
  }

  void read_primitive(const json::object& primitive, const Transform& transform) {
    constexpr std::size_t triangles = 4;
    constexpr std::size_t strip = 5;
    constexpr std::size_t fan = 6;
    const std::size_t mode = gltf_index(primitive, "mode", triangles);
    const std::size_t accessor = gltf_index(part_of(primitive, "attributes"), "POSITION", none);
    if (mode < triangles || mode > fan || accessor == none) {
      ++into_.repairs.other_primitives;
      return;
    }
    Mesh& mesh = into_.mesh;
    const std::vector<Vec3> positions = buffers_.positions(accessor);
    std::vector<std::uint32_t> indices;
    if (const std::size_t given = gltf_index(primitive, "indices", none); given != none) {
      indices = buffers_.indices(given);
    } else {
      for (std::uint32_t i = 0; i < positions.size(); ++i) indices.push_back(i);
    }
    if (mesh.positions.size() + positions.size() + mesh.triangles.size() + indices.size() > most_triangles) {
      gltf_refuse(fmt::format("there are more than {} vertices and triangles", most_triangles));
    }
    const auto base = static_cast<std::uint32_t>(mesh.positions.size());
    for (const Vec3 position : positions) mesh.positions.push_back(transform.point(position));
    const std::uint32_t material = material_of(primitive);
    const auto corner = [&](std::size_t i) { return indices[i] < positions.size() ? base + indices[i] : no_corner; };
    for (std::size_t i = 2; i < indices.size(); i += mode == triangles ? 3 : 1) {
      // Every other triangle of a strip has the opposite orientation.
      const bool odd = mode == strip && i % 2 != 0;
      const std::size_t first = mode == fan ? 0 : i - 2;
      mesh.triangles.push_back({corner(first), corner(odd ? i : i - 1), corner(odd ? i - 1 : i)});
      mesh.material_of_triangle.push_back(material);
    }
  }

  std::uint32_t material_of(const json::object& primitive) {
    const std::size_t given = gltf_index(primitive, "material", none);
    if (given != none) {
      gltf_item(document_, "materials", given);
      return static_cast<std::uint32_t>(given);
    }
    if (!white_) white_ = add_material(into_.mesh, "default", Appearance{{1, 1, 1}, {}});
    return *white_;
  }

  /// A camera looks along -z, y is up.
  void read_camera(const json::object& description, const Transform& transform) {
    const json::value* angle = part_of(description, "perspective").if_contains("yfov");
    if (angle == nullptr) return;
    Camera& camera = into_.mesh.camera;
    camera.eye = transform.point({0, 0, 0});
    camera.look_at = transform.point({0, 0, -1});
    camera.up = transform.direction({0, 1, 0});
    camera.vertical_field_of_view = static_cast<float>(angle->to_number<double>() * 180 / std::numbers::pi);
    has_camera_ = true;
  }

  const json::object& document_;
  GltfBuffers buffers_;
  LoadedMesh& into_;
  std::set<std::size_t> seen_;
  std::optional<std::uint32_t> white_;
  bool has_camera_ = false;
};

/// The parts of a binary file: a header of 12 bytes, then chunks with length and kind.
struct Parts {
  std::string_view document;
  std::string_view data;
};

Parts split_binary(std::string_view bytes) {
  constexpr std::size_t header = 12;
  constexpr std::size_t chunk_header = 8;
  Parts parts;
  std::size_t at = header;
  while (at < bytes.size()) {
    if (bytes.size() - at < chunk_header) gltf_refuse("the file ends within a chunk");
    std::uint32_t length = 0;
    std::memcpy(&length, bytes.data() + at, sizeof length);
    const std::string_view kind = bytes.substr(at + sizeof length, 4);
    at += chunk_header;
    if (length > bytes.size() - at) gltf_refuse("the file ends within a chunk");
    if (kind == "JSON") parts.document = bytes.substr(at, length);
    if (kind == std::string_view("BIN\0", 4)) parts.data = bytes.substr(at, length);
    at += length;
  }
  return parts;
}

/// Calls `read` with the document and the data of a binary file. Throws InputError, which names the file.
template <typename Read>
auto from_document(const SceneFile& file, const Read& read) {
  try {
    const std::string_view bytes = file.bytes;
    const Parts parts = bytes.starts_with("glTF") ? split_binary(bytes) : Parts{bytes, {}};
    const json::value document = json::parse(parts.document);
    return read(document.as_object(), parts.data);
  } catch (const InputError&) {
    throw;
  } catch (const std::bad_alloc&) {
    throw;
  } catch (const std::exception& error) {
    throw InputError({file.name}, fmt::format("cannot be read as glTF 2.0: {}", error.what()));
  }
}

}  // namespace

bool read_gltf(const SceneFile& file, LoadedMesh& into) {
  return from_document(file, [&](const json::object& document, std::string_view attached) {
    return GltfReader(file, document, attached, into).read();
  });
}

std::vector<std::filesystem::path> buffer_files(const SceneFile& file) {
  return from_document(file, [&](const json::object& document, std::string_view attached) {
    return GltfBuffers(file, document, attached).files();
  });
}

}  // namespace reconverge::scenes
