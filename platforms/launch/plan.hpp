// SPDX-License-Identifier: Apache-2.0
#pragma once
/// A run of launches as described by a file, read and checked completely before anything runs.

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "models/core/error.hpp"
#include "models/execution/launch.hpp"
#include "models/execution/texture.hpp"
#include "models/kernel/program.hpp"
#include "models/protocols/scheme_list.hpp"
#include "platforms/configuration/configuration.hpp"
#include "platforms/launch/comparison.hpp"
#include "platforms/launch/element_type.hpp"
#include "platforms/launch/kernel_transform.hpp"

namespace reconverge::launch {

struct PlannedBuffer {
  std::string name;
  SourceLocation location;
  ElementType type = ElementType::u8;
  std::uint64_t count = 0;           ///< elements
  std::uint64_t record = 1;          ///< elements that form a record: 8 for a ray
  std::vector<std::uint64_t> shape;  ///< its product is `count`
  bool shape_given = false;          ///< set by the user or a .npy file, not derived from the count
  std::vector<std::byte> contents;   ///< empty: zeros, or the variable's initial value
  /// For a buffer that is a variable of a PTX module: the module's variables (kernel::load_variables), and the
  /// variable's index.
  std::shared_ptr<const kernel::Program> module;
  std::string variable;

  /// Places the buffer in a device's memory. Throws InputError if it does not fit.
  DeviceAddress place_in(DeviceMemory& memory) const;

  std::uint64_t bytes() const { return count * bytes_of(type); }
};

/// The parameter that receives the address of a buffer once it is known.
struct AddressPlace {
  std::size_t offset = 0;  ///< in the parameters
  std::size_t buffer = 0;
  std::uint64_t addend = 0;
  std::size_t bytes = 8;  ///< of the address: 4 or 8
};

/// A buffer as a row, plane or volume of elements for `tex`.
struct PlannedTexture {
  std::size_t buffer = 0;
  kernel::DataType channel = kernel::DataType::f32;
  unsigned components = 1;
  bool normalized = false;
  std::array<std::uint64_t, 3> size{};  ///< elements in x, y and z; 0 in unused dimensions
  kernel::TextureFilter filter = kernel::TextureFilter::point;
  kernel::TextureAddressing addressing = kernel::TextureAddressing::border;
  bool normalized_coordinates = false;
  std::string reference;   ///< a texture reference of the program; empty for a texture object
  std::size_t offset = 0;  ///< of the object's handle in the parameters
};

/// The texture on a device that has the buffer at `address`.
TextureView view_of(const PlannedTexture& texture, const PlannedBuffer& buffer, DeviceAddress address);

struct PlannedLaunch {
  std::string name;
  SourceLocation location;
  std::shared_ptr<const kernel::Program> program;
  Dim3 grid;
  Dim3 block;
  std::uint32_t dynamic_shared_bytes = 0;
  std::uint32_t stack_bytes = default_stack_bytes;  ///< for a thread, if functions are recursive or called by pointer
  std::vector<std::byte> parameters;                ///< as the program lays them out, without the addresses
  std::vector<AddressPlace> addresses;
  std::vector<PlannedTexture> textures;
  /// Global memory for local arrays of all threads; its address is the last parameter. Zero: there is no such
  /// parameter.
  std::uint64_t array_bytes = 0;
  bool cooperative = false;  ///< all blocks are resident together
};

/// File formats for buffers.
enum class OutputFormat : std::uint8_t {
  npy,
  raw,  ///< only the bytes
  png
};

/// A buffer to write when all launches have ended.
struct PlannedOutput {
  std::string file;  ///< its name in the report's folder
  std::size_t buffer = 0;
  OutputFormat format = OutputFormat::raw;
  std::vector<std::uint64_t> shape;
};

/// The expected contents of a buffer when all launches have ended.
struct PlannedCheck {
  std::size_t buffer = 0;
  std::uint64_t first = 0;  ///< element
  std::vector<std::byte> expected;
  Tolerance tolerance;
  std::string against;  ///< the file, or how the values were given
};

struct LaunchPlan {
  std::vector<PlannedBuffer> buffers;
  std::vector<PlannedLaunch> launches;
  /// The order in which launches run, as indices; a launch in a group appears as often as the group is repeated. No
  /// launch appears before the first run of its predecessor.
  std::vector<std::size_t> order;
  std::vector<PlannedOutput> outputs;
  std::vector<PlannedCheck> checks;
  std::vector<std::string> files;     ///< all files that were read, programs included
  std::vector<std::string> warnings;  ///< of the programs, with file and line
  /// Results of transforming kernels, each once.
  std::vector<std::shared_ptr<const TransformedKernel>> transformed;

  /// The bytes of state that each of these needs.
  std::vector<std::uint64_t> state_bytes() const;
};

/// Whether the files say what to launch.
bool has_launches(const configuration::Configuration& configuration);

/// Reads the sections of a configuration and every file that they name. Throws InputError for the first error, with its
/// place in the YAML file or its line in a program. `reserved` are names that no output may have. `schemes`: whose
/// instructions programs may use. `transform`: the transformation of kernels, except in launches with `transform:
/// false`.
LaunchPlan read_plan(const configuration::Configuration& configuration, std::span<const std::string> reserved = {},
                     SchemeList schemes = built_in_schemes(), const KernelTransformParameters& transform = {});

}  // namespace reconverge::launch
