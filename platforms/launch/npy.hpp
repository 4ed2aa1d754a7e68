// SPDX-License-Identifier: Apache-2.0
#pragma once
/// Arrays in files of NumPy's `save` (.npy, versions 1 to 3).

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "platforms/launch/element_type.hpp"

namespace reconverge::launch {

struct NpyArray {
  ElementType type = ElementType::u8;
  std::vector<std::uint64_t> shape;  ///< empty for a single number
  std::vector<std::byte> data;       ///< little endian, the last index varies fastest

  std::uint64_t count() const { return data.size() / bytes_of(type); }
};

/// `3 x 4`, or `a single number`.
std::string shape_text(std::span<const std::uint64_t> shape);

/// Reads the bytes of a file; `file` is its name in messages. Throws InputError, which suggests a remedy in NumPy, for
/// anything but little-endian whole numbers, floats and booleans (as u8) in C order.
NpyArray parse_npy(std::string_view bytes, const std::string& file);
NpyArray read_npy(const std::filesystem::path& file);

/// The header of a file of version 1, as NumPy itself would write it.
std::string npy_header(ElementType type, std::span<const std::uint64_t> shape);
/// The whole file.
std::string npy_bytes(ElementType type, std::span<const std::uint64_t> shape, std::span<const std::byte> data);

}  // namespace reconverge::launch
