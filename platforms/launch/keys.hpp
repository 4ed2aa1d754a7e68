// SPDX-License-Identifier: Apache-2.0
#pragma once
/// Every key that a launch file may have besides the parameters of the platform. The reader refuses all other keys, and
/// the schema for editors is generated from this table.

#include <cstdint>
#include <span>
#include <string_view>

#include "platforms/configuration/configuration.hpp"

namespace reconverge::launch {

/// The form of a key's value.
enum class KeyKind : std::uint8_t {
  word,       ///< a name
  file,       ///< a path relative to the YAML file
  whole,      ///< a whole number from 0
  size,       ///< bytes, with or without a unit
  number,     ///< any number
  count,      ///< a whole number, or {count_of: BUFFER, times: N}
  extents,    ///< a single number or a list of up to three whole numbers
  shape,      ///< a list of whole numbers
  numbers,    ///< a list of numbers
  range,      ///< {start, step}
  random,     ///< {seed, from, to}
  arguments,  ///< the arguments of a kernel
  fields,     ///< the fields of a struct
  flag,       ///< true or false
  textures,   ///< maps the name of a reference to what it reads
  launches    ///< a list of launches
};

struct Key {
  std::string_view name;
  KeyKind kind = KeyKind::word;
  std::string_view text;                           ///< one sentence on its meaning
  std::span<const std::string_view> choices = {};  ///< for a word: the allowed ones
};

std::span<const Key> buffer_keys();
std::span<const Key> launch_keys();
std::span<const Key> repeat_keys();  ///< an item of `launches` that repeats several launches
std::span<const Key> output_keys();
std::span<const Key> expected_keys();
std::span<const Key> range_keys();
std::span<const Key> random_keys();
std::span<const Key> count_keys();
std::span<const Key> address_keys();  ///< an argument that points into a buffer
std::span<const Key> value_keys();    ///< an argument that holds the first elements of a buffer
std::span<const Key> struct_keys();   ///< an argument with several fields
std::span<const Key> texture_keys();  ///< what a texture reference reads
std::span<const Key> object_keys();   ///< an argument that is a texture object

/// The sections `buffers`, `launches`, `outputs` and `expected` of an experiment.
std::span<const configuration::SectionKey> section_keys();

/// In the order of kernel::TextureFilter and kernel::TextureAddressing.
std::span<const std::string_view> texture_filters();
std::span<const std::string_view> texture_addressings();

/// Data of a scene and its rays that a buffer can hold.
std::span<const std::string_view> scene_parts();

}  // namespace reconverge::launch
