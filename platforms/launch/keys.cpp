// SPDX-License-Identifier: Apache-2.0
#include "platforms/launch/keys.hpp"

#include <array>

#include "platforms/launch/element_type.hpp"

namespace reconverge::launch {

namespace {

using configuration::SectionKey;

constexpr std::array<std::string_view, 13> parts{
    "nodes",  "triangles",  "triangle_of_row", "materials",           "material_of_triangle",
    "camera", "grid_frame", "grid_first",      "grid_cell_triangles", "grid_triangles",
    "rays",   "samples",    "pixel_first"};
constexpr std::array<std::string_view, 2> ray_kinds{"extension", "shadow"};

constexpr std::array<std::string_view, 3> input_files{"npy", "raw", "rays"};
constexpr std::array<std::string_view, 4> buffer_files{"npy", "raw", "rays", "program"};
constexpr std::array<std::string_view, 1> program_files{"program"};
constexpr std::array<SectionKey, 4> section_list{
    {{"buffers", buffer_files}, {"launches", program_files}, {"outputs", {}}, {"expected", input_files}}};

constexpr Key npy_key{"npy", KeyKind::file, "A file of numpy.save: little endian, C order."};
constexpr Key raw_key{"raw", KeyKind::file, "A file of bytes, little endian."};
constexpr Key offset_key{"offset", KeyKind::size, "Bytes of the raw file to leave out at its beginning."};
constexpr Key length_key{"length", KeyKind::size, "Bytes of the raw file to take; all that follow if not given."};
constexpr Key components_key{"components", KeyKind::whole, "Numbers of a texture element: 1 (default), 2 or 4."};
constexpr Key normalized_key{"normalized", KeyKind::flag,
                             "Whether whole numbers of 8 and 16 bits read as floats in [0, 1] or [-1, 1]."};
constexpr Key size_key{
    "size", KeyKind::extents,
    "Elements in x, y and z, x fastest: a plane for tex.2d, a volume for tex.3d. A row of all of them "
    "if not given."};
constexpr std::array<std::string_view, 2> filters{"point", "linear"};
constexpr Key filter_key{"filter", KeyKind::word,
                         "The element that a coordinate lies in (default), or the nearest in each dimension, weighed.",
                         filters};
constexpr std::array<std::string_view, 4> addressings{"border", "clamp", "wrap", "mirror"};
constexpr Key addressing_key{
    "addressing", KeyKind::word,
    "What lies beyond the elements: zeros (default), the nearest element, or the elements again.", addressings};
constexpr Key coordinates_key{"normalized_coordinates", KeyKind::flag,
                              "Whether floating-point coordinates count from 0 to 1 over all elements."};
constexpr Key values_key{"values", KeyKind::numbers, "The elements themselves."};
constexpr Key fill_key{"fill", KeyKind::number, "One number for every element."};
constexpr Key range_key{"range", KeyKind::range, "start, start + step, start + 2 step ..."};
constexpr Key random_key{"random", KeyKind::random, "Evenly distributed numbers, the same for a seed everywhere."};

}  // namespace

std::span<const std::string_view> texture_filters() { return filters; }
std::span<const std::string_view> texture_addressings() { return addressings; }

std::span<const std::string_view> scene_parts() { return parts; }

std::span<const configuration::SectionKey> section_keys() { return section_list; }

std::span<const Key> buffer_keys() {
  static const std::array<Key, 23> keys{
      {{"variable", KeyKind::word,
        "Variable of a module, in global or constant memory, that is the buffer: all of it, with the module's initial "
        "values if no contents are given."},
       {"program", KeyKind::file, "PTX file of the variable's module."},
       {"type", KeyKind::word, "Type of the elements; a .npy file, a scene and rays bring their own.",
        element_type_names()},
       {"count", KeyKind::count, "Number of elements; what a file, a list, a scene or rays hold if not given."},
       {"shape", KeyKind::shape,
        "Extents of an array, the last index fastest; gives the count, and outputs their shape."},
       npy_key,
       raw_key,
       offset_key,
       length_key,
       values_key,
       fill_key,
       range_key,
       random_key,
       {"scene", KeyKind::word, "Built-in scene, or a file (from the current folder), that gives the part."},
       {"outside_files", KeyKind::flag,
        "Whether the scene file may name files outside its folder; false if not given."},
       {"rays", KeyKind::file, "A file of `reconverge rays --out` that gives rays, samples or pixel_first."},
       {"part", KeyKind::word, "What to take of the scene or the rays; rays if not given.", parts},
       {"kind", KeyKind::word, "Extension rays (default) or shadow rays.", ray_kinds},
       {"bounce", KeyKind::whole, "Rays of which bounce, from 1 (default)."},
       {"width", KeyKind::whole, "Picture width of the camera, or of rays that are traced here; 64 if not given."},
       {"height", KeyKind::whole, "Picture height of the camera, or of rays that are traced here; 48 if not given."},
       {"samples", KeyKind::whole, "Paths a pixel of rays that are traced here; 1 if not given."},
       {"seed", KeyKind::whole, "Seed of rays that are traced here; 1 if not given."}}};
  return keys;
}

std::span<const Key> launch_keys() {
  static constexpr std::array<Key, 12> keys{
      {{"name", KeyKind::word, "What the report calls the launch; the kernel's name if not given."},
       {"program", KeyKind::file, "PTX file."},
       {"kernel", KeyKind::word, "Entry of the program; may be left out when there is one only."},
       {"grid", KeyKind::extents, "Blocks in x, y and z."},
       {"threads", KeyKind::count, "Threads in all, instead of grid: as many blocks in x as it takes."},
       {"block", KeyKind::extents, "Threads of a block in x, y and z."},
       {"dynamic_shared", KeyKind::size, "Bytes of dynamic shared memory of a block; none if not given."},
       {"stack", KeyKind::size, "Bytes of stack per thread, for recursion and function pointers; 4 KiB if not given."},
       {"cooperative", KeyKind::flag,
        "Whether all blocks are resident together, so that they can wait for each other; false if not given."},
       {"arguments", KeyKind::arguments, "One for each parameter of the kernel, in order."},
       {"textures", KeyKind::textures, "What each texture reference of the kernel reads, by its name."},
       {"transform", KeyKind::flag,
        "Whether the kernel runs as the experiment's transform makes it; true if not given."}}};
  return keys;
}

std::span<const Key> repeat_keys() {
  static constexpr std::array<Key, 2> keys{
      {{"repeat", KeyKind::whole, "How often the launches run, all of them one after the other each time."},
       {"launches", KeyKind::launches, "Launches to repeat; the report lists each once, with its runs added up."}}};
  return keys;
}

std::span<const Key> output_keys() {
  static constexpr std::array<Key, 5> keys{
      {{"buffer", KeyKind::word, "Buffer to write after the last launch."},
       {"npy", KeyKind::word, "Name of the .npy file in the folder of the report."},
       {"raw", KeyKind::word, "Name of the file of bytes in the folder of the report."},
       {"png", KeyKind::word, "Name of the picture in the folder of the report: rows, columns, 3 or 4 colours."},
       {"shape", KeyKind::shape, "Shape in the .npy file or of the picture; the buffer's if not given."}}};
  return keys;
}

std::span<const Key> expected_keys() {
  static constexpr std::array<Key, 14> keys{
      {{"buffer", KeyKind::word, "Buffer to look at after the last launch."},
       {"first", KeyKind::whole, "Index of the first element to look at; 0 if not given."},
       {"count", KeyKind::whole, "Number of elements to look at; all that follow if not given."},
       npy_key,
       raw_key,
       offset_key,
       length_key,
       values_key,
       fill_key,
       range_key,
       random_key,
       {"absolute", KeyKind::number, "A value agrees if it differs by at most this."},
       {"relative", KeyKind::number, "A value agrees if it differs by at most this times the expected one."},
       {"ulps", KeyKind::whole, "A float agrees if it is at most this many floats away."}}};
  return keys;
}

std::span<const Key> range_keys() {
  static constexpr std::array<Key, 2> keys{{{"start", KeyKind::number, "The first element; 0 if not given."},
                                            {"step", KeyKind::number, "From an element to the next; 1 if not given."}}};
  return keys;
}

std::span<const Key> random_keys() {
  static constexpr std::array<Key, 3> keys{
      {{"seed", KeyKind::whole, "Another seed gives other numbers; 1 if not given."},
       {"from", KeyKind::number, "The smallest number; 0 if not given."},
       {"to", KeyKind::number, "The largest number; itself included where the numbers are whole."}}};
  return keys;
}

std::span<const Key> count_keys() {
  static constexpr std::array<Key, 2> keys{
      {{"count_of", KeyKind::word, "Buffer whose elements are counted; of rays and samples whole records."},
       {"times", KeyKind::whole, "Factor for the count; 1 if not given."}}};
  return keys;
}

std::span<const Key> address_keys() {
  static constexpr std::array<Key, 2> keys{{{"buffer", KeyKind::word, "Buffer whose address is meant."},
                                            {"offset", KeyKind::size, "Bytes from its beginning."}}};
  return keys;
}

std::span<const Key> value_keys() {
  static constexpr std::array<Key, 1> keys{
      {{"contents_of", KeyKind::word, "Buffer whose contents, before the first launch, are the argument itself."}}};
  return keys;
}

std::span<const Key> struct_keys() {
  static constexpr std::array<Key, 1> keys{
      {{"fields", KeyKind::fields, "Fields of a struct in order, placed as C places them."}}};
  return keys;
}

namespace {

/// The keys of a texture: `first`, which names the source, and how the texture is read.
constexpr std::array<Key, 7> keys_of_texture(const Key& first) {
  return {first, components_key, normalized_key, size_key, filter_key, addressing_key, coordinates_key};
}

}  // namespace

std::span<const Key> texture_keys() {
  static constexpr auto keys = keys_of_texture({"buffer", KeyKind::word, "Buffer that the texture reads."});
  return keys;
}

std::span<const Key> object_keys() {
  static constexpr auto keys = keys_of_texture({"texture", KeyKind::word, "Buffer that the texture object reads."});
  return keys;
}

}  // namespace reconverge::launch
