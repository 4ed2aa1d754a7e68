#pragma once
/// Every key that a launch file may have besides the parameters of the platform, written once: the reader refuses what
/// is not here, and the schema for editors is made from it.

#include <cstdint>
#include <span>
#include <string_view>

#include "platforms/configuration/configuration.hpp"

namespace reconverge::launch {

/// What the value of a key looks like.
enum class KeyKind : std::uint8_t {
  word,       ///< a name
  file,       ///< a path relative to the YAML file
  whole,      ///< a whole number from 0
  size,       ///< bytes, with or without a unit
  number,     ///< any number
  count,      ///< a whole number, or {count_of: BUFFER, times: N}
  extents,    ///< one to three whole numbers; a single one needs no list
  shape,      ///< a list of whole numbers
  numbers,    ///< a list of numbers
  range,      ///< {start, step}
  random,     ///< {seed, from, to}
  arguments,  ///< what a kernel is given
  fields,     ///< of a struct
  flag,       ///< true or false
  textures,   ///< from the name of a reference to what it reads
  launches    ///< a list of launches
};

struct Key {
  std::string_view name;
  KeyKind kind = KeyKind::word;
  std::string_view text;                           ///< one sentence on what it says
  std::span<const std::string_view> choices = {};  ///< of a word that is one of these
};

std::span<const Key> buffer_keys();
std::span<const Key> launch_keys();
std::span<const Key> repeat_keys();  ///< an item of `launches` that is several, again and again
std::span<const Key> output_keys();
std::span<const Key> expected_keys();
std::span<const Key> range_keys();
std::span<const Key> random_keys();
std::span<const Key> count_keys();
std::span<const Key> address_keys();  ///< an argument that points into a buffer
std::span<const Key> value_keys();    ///< an argument that is what a buffer begins with
std::span<const Key> struct_keys();   ///< an argument of several fields
std::span<const Key> texture_keys();  ///< what a texture reference reads
std::span<const Key> object_keys();   ///< an argument that is a texture object

/// The sections `buffers`, `launches`, `outputs` and `expected` of an experiment.
std::span<const configuration::SectionKey> section_keys();

/// In the order of kernel::TextureFilter and kernel::TextureAddressing.
std::span<const std::string_view> texture_filters();
std::span<const std::string_view> texture_addressings();

/// What a scene and its rays give to a buffer.
std::span<const std::string_view> scene_parts();

}  // namespace reconverge::launch
