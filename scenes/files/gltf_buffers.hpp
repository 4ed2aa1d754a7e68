// SPDX-License-Identifier: Apache-2.0
#pragma once
/// The data of a glTF file: the numbers that accessors, views and buffers refer to. Private to this library.

#include <boost/json/object.hpp>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "scenes/files/mesh_readers.hpp"

namespace reconverge::scenes {

/// The JSON file is untrusted, so every access is checked. Throws std::exception, whose message says what is missing;
/// `read_gltf` adds the file's name.
class GltfBuffers {
 public:
  /// `document` must outlive this; `attached` is the data of a binary file.
  GltfBuffers(const SceneFile& file, const boost::json::object& document, std::string_view attached);

  /// Three floats for each element.
  std::vector<Vec3> positions(std::size_t accessor);
  /// Whole numbers of one, two or four bytes.
  std::vector<std::uint32_t> indices(std::size_t accessor);
  /// The existing files that hold buffers, each once.
  std::vector<std::filesystem::path> files() const;

 private:
  /// `count` elements of `size` bytes, `stride` apart, checked to be within the data.
  struct Elements {
    const char* first = nullptr;
    std::size_t count = 0;
    std::size_t stride = 0;
  };
  Elements elements(const boost::json::object& accessor, std::size_t size);
  std::string_view buffer(std::size_t index);
  std::string bytes_of(const boost::json::object& buffer) const;
  std::filesystem::path path_of(std::string_view uri) const;

  const SceneFile& file_;
  const boost::json::object& document_;
  std::string_view attached_;
  std::vector<std::string> buffers_;
  std::vector<bool> known_;
};

/// The element of an array of the document: `gltf_item(document, "nodes", 3)`.
const boost::json::object& gltf_item(const boost::json::object& document, std::string_view array, std::size_t index);
/// A non-negative integer; `otherwise` if the key is missing.
std::size_t gltf_index(const boost::json::object& object, std::string_view key, std::size_t otherwise);
/// The same for a required key.
std::size_t gltf_index(const boost::json::object& object, std::string_view key);
[[noreturn]] void gltf_refuse(const std::string& message);

}  // namespace reconverge::scenes
