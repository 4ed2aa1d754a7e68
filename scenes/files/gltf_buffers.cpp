// SPDX-License-Identifier: Apache-2.0
#include "scenes/files/gltf_buffers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <stdexcept>
#include <system_error>

#include "models/core/error.hpp"
#include "models/core/input_file.hpp"

namespace reconverge::scenes {

namespace json = boost::json;

namespace {

constexpr std::string_view data_scheme = "data:";

// glTF 2.0, accessor.componentType.
constexpr std::size_t unsigned_byte = 5121;
constexpr std::size_t unsigned_short = 5123;
constexpr std::size_t unsigned_int = 5125;
constexpr std::size_t float_type = 5126;

/// RFC 4648; padding may be left out.
std::string from_base64(std::string_view text) {
  constexpr std::string_view digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  while (text.ends_with('=')) text.remove_suffix(1);
  std::string bytes;
  bytes.reserve(text.size() / 4 * 3 + 3);
  std::uint32_t bits = 0;
  unsigned count = 0;
  for (const char c : text) {
    const std::size_t digit = digits.find(c);
    if (digit == std::string_view::npos) gltf_refuse("a buffer's data: is not base64");
    bits = bits << 6U | static_cast<std::uint32_t>(digit);
    count += 6;
    if (count >= 8) {
      count -= 8;
      bytes += static_cast<char>(bits >> count & 0xFFU);
    }
  }
  return bytes;
}

/// Decodes percent escapes: `%20` is a space.
std::string unescaped(std::string_view uri) {
  const auto digit = [](char c) {
    return c >= '0' && c <= '9'   ? c - '0'
           : c >= 'a' && c <= 'f' ? c - 'a' + 10
           : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                  : -1;
  };
  std::string text;
  for (std::size_t i = 0; i < uri.size(); ++i) {
    const bool escaped = uri[i] == '%' && i + 2 < uri.size() && digit(uri[i + 1]) >= 0 && digit(uri[i + 2]) >= 0;
    text += escaped ? static_cast<char>(digit(uri[i + 1]) * 16 + digit(uri[i + 2])) : uri[i];
    if (escaped) i += 2;
  }
  return text;
}

template <typename T>
T load(const char* place) {
  static_assert(std::endian::native == std::endian::little);
  T value{};
  std::memcpy(&value, place, sizeof value);
  return value;
}

}  // namespace

void gltf_refuse(const std::string& message) { throw std::invalid_argument(message); }

std::size_t gltf_index(const json::object& object, std::string_view key, std::size_t otherwise) {
  const json::value* value = object.if_contains(key);
  if (value == nullptr) return otherwise;
  json::error_code error;
  const auto index = value->to_number<std::size_t>(error);
  if (error) gltf_refuse(fmt::format("{} is not a whole number from 0", key));
  return index;
}

std::size_t gltf_index(const json::object& object, std::string_view key) {
  if (!object.contains(key)) gltf_refuse(fmt::format("there is no {}", key));
  return gltf_index(object, key, 0);
}

const json::object& gltf_item(const json::object& document, std::string_view array, std::size_t index) {
  const json::value* list = document.if_contains(array);
  if (list == nullptr || !list->is_array() || index >= list->get_array().size() ||
      !list->get_array()[index].is_object()) {
    gltf_refuse(fmt::format("{} has no object {}", array, index));
  }
  return list->get_array()[index].get_object();
}

GltfBuffers::GltfBuffers(const SceneFile& file, const json::object& document, std::string_view attached)
    : file_(file), document_(document), attached_(attached) {
  const json::value* list = document.if_contains("buffers");
  const std::size_t count = list != nullptr && list->is_array() ? list->get_array().size() : 0;
  buffers_.resize(count);
  known_.resize(count);
}

std::vector<std::filesystem::path> GltfBuffers::files() const {
  std::vector<std::filesystem::path> found;
  for (std::size_t i = 0; i < buffers_.size(); ++i) {
    const json::value* uri = gltf_item(document_, "buffers", i).if_contains("uri");
    if (uri == nullptr || uri->as_string().starts_with(data_scheme)) continue;
    const std::filesystem::path file = path_of(uri->as_string());
    std::error_code error;
    if (std::filesystem::exists(file, error) && std::ranges::find(found, file) == found.end()) found.push_back(file);
  }
  return found;
}

std::filesystem::path GltfBuffers::path_of(std::string_view uri) const {
  // RFC 3986: text before a colon in the first segment of a path is a scheme.
  if (uri.substr(0, uri.find('/')).find(':') != std::string_view::npos) {
    throw InputError({file_.name}, fmt::format("it names '{}', which is not a relative path", uri),
                     "give buffers as files or as data:");
  }
  return named_file(file_.path.parent_path(), unescaped(uri), file_.outside, {file_.name});
}

std::string GltfBuffers::bytes_of(const json::object& buffer) const {
  const json::value* uri = buffer.if_contains("uri");
  if (uri == nullptr) return std::string(attached_);
  const std::string_view text = uri->as_string();
  if (!text.starts_with(data_scheme)) return read_input(path_of(text), input::scene);
  constexpr std::string_view mark = ";base64,";
  const std::size_t begin = text.find(mark);
  if (begin == std::string_view::npos) gltf_refuse("a buffer's data: is not base64");
  return from_base64(text.substr(begin + mark.size()));
}

std::string_view GltfBuffers::buffer(std::size_t index) {
  const json::object& description = gltf_item(document_, "buffers", index);
  if (!known_[index]) {
    buffers_[index] = bytes_of(description);
    known_[index] = true;
  }
  const std::size_t length = gltf_index(description, "byteLength");
  if (length > buffers_[index].size()) {
    gltf_refuse(fmt::format("buffer {} has {} bytes, {} are needed", index, buffers_[index].size(), length));
  }
  return std::string_view(buffers_[index]).substr(0, length);
}

GltfBuffers::Elements GltfBuffers::elements(const json::object& accessor, std::size_t size) {
  if (accessor.contains("sparse") || !accessor.contains("bufferView")) {
    gltf_refuse("sparse accessors and accessors without a bufferView are not read");
  }
  const json::object& view = gltf_item(document_, "bufferViews", gltf_index(accessor, "bufferView"));
  const std::string_view whole = buffer(gltf_index(view, "buffer"));
  const std::size_t begin = gltf_index(view, "byteOffset", 0);
  const std::size_t length = gltf_index(view, "byteLength");
  if (begin > whole.size() || length > whole.size() - begin) gltf_refuse("a bufferView goes beyond its buffer");
  const std::size_t offset = gltf_index(accessor, "byteOffset", 0);
  Elements result;
  result.stride = gltf_index(view, "byteStride", size);
  result.count = gltf_index(accessor, "count");
  if (result.stride < size) gltf_refuse("a byteStride is shorter than its elements");
  const bool fits = result.count == 0 || (offset <= length && size <= length - offset &&
                                          result.count - 1 <= (length - offset - size) / result.stride);
  if (!fits) gltf_refuse(fmt::format("an accessor of {} elements goes beyond its bufferView", result.count));
  result.first = whole.data() + begin + std::min(offset, length);
  return result;
}

std::vector<Vec3> GltfBuffers::positions(std::size_t accessor) {
  const json::object& description = gltf_item(document_, "accessors", accessor);
  const json::value* type = description.if_contains("type");
  if (type == nullptr || *type != "VEC3" || gltf_index(description, "componentType") != float_type) {
    gltf_refuse("positions are not three floats");
  }
  const Elements found = elements(description, 3 * sizeof(float));
  std::vector<Vec3> result;
  result.reserve(found.count);
  for (std::size_t i = 0; i < found.count; ++i) result.push_back(load<Vec3>(found.first + i * found.stride));
  return result;
}

std::vector<std::uint32_t> GltfBuffers::indices(std::size_t accessor) {
  const json::object& description = gltf_item(document_, "accessors", accessor);
  const std::size_t type = gltf_index(description, "componentType");
  if (type != unsigned_byte && type != unsigned_short && type != unsigned_int) {
    gltf_refuse("indices are not whole numbers of 8, 16 or 32 bits");
  }
  const std::size_t size = type == unsigned_byte ? 1 : type == unsigned_short ? 2 : 4;
  const Elements found = elements(description, size);
  std::vector<std::uint32_t> result;
  result.reserve(found.count);
  for (std::size_t i = 0; i < found.count; ++i) {
    const char* place = found.first + i * found.stride;
    result.push_back(size == 1   ? load<std::uint8_t>(place)
                     : size == 2 ? load<std::uint16_t>(place)
                                 : load<std::uint32_t>(place));
  }
  return result;
}

}  // namespace reconverge::scenes
