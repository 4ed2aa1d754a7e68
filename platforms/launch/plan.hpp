#pragma once
/// A run of launches as a file describes it, read and checked as a whole before anything runs.

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
#include "platforms/configuration/configuration.hpp"
#include "platforms/gpu/schemes.hpp"
#include "platforms/launch/comparison.hpp"
#include "platforms/launch/element_type.hpp"
#include "platforms/launch/kernel_transform.hpp"

namespace reconverge::launch {

struct PlannedBuffer {
  std::string name;
  SourceLocation location;
  ElementType type = ElementType::u8;
  std::uint64_t count = 0;           ///< elements
  std::uint64_t record = 1;          ///< elements that belong together: 8 of a ray
  std::vector<std::uint64_t> shape;  ///< its product is `count`
  bool shape_given = false;          ///< by the user or a .npy file, and not by the count alone
  std::vector<std::byte> contents;   ///< empty: zeros, or what the variable begins with
  /// Of a buffer that is a variable of a PTX module: the module's variables (kernel::load_variables), and which it is.
  std::shared_ptr<const kernel::Program> module;
  std::string variable;

  /// Its place in a device's memory. Throws InputError when it does not fit.
  DeviceAddress place_in(DeviceMemory& memory) const;

  std::uint64_t bytes() const { return count * bytes_of(type); }
};

/// Where the address of a buffer goes once it is known.
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
  std::array<std::uint64_t, 3> size{};  ///< elements in x, y and z; 0 in dimensions that it does not have
  kernel::TextureFilter filter = kernel::TextureFilter::point;
  kernel::TextureAddressing addressing = kernel::TextureAddressing::border;
  bool normalized_coordinates = false;
  std::string reference;   ///< a texture reference of the program; empty for a texture object
  std::size_t offset = 0;  ///< of the object's handle in the parameters
};

/// The same for a device, where the buffer lies at `address`.
TextureView view_of(const PlannedTexture& texture, const PlannedBuffer& buffer, DeviceAddress address);

struct PlannedLaunch {
  std::string name;
  SourceLocation location;
  std::shared_ptr<const kernel::Program> program;
  Dim3 grid;
  Dim3 block;
  std::uint32_t dynamic_shared_bytes = 0;
  std::uint32_t stack_bytes = default_stack_bytes;  ///< a thread, where functions call themselves or are pointed to
  std::vector<std::byte> parameters;                ///< as the program lays them out, but for the addresses
  std::vector<AddressPlace> addresses;
  std::vector<PlannedTexture> textures;
  /// Global memory for local arrays of all threads, whose address is the last parameter; zero: there is no such
  /// parameter.
  std::uint64_t array_bytes = 0;
  bool cooperative = false;  ///< all blocks are there at a time
};

/// How a buffer is written.
enum class OutputFormat : std::uint8_t {
  npy,
  raw,  ///< the bytes alone
  png
};

/// A buffer to write when all launches have ended.
struct PlannedOutput {
  std::string file;  ///< a name in the folder of the report
  std::size_t buffer = 0;
  OutputFormat format = OutputFormat::raw;
  std::vector<std::uint64_t> shape;
};

/// What a buffer should hold when all launches have ended.
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
  /// The order in which they run, as indices; those of a group are here as often as it is repeated. No launch comes
  /// before the first run of the one in front of it.
  std::vector<std::size_t> order;
  std::vector<PlannedOutput> outputs;
  std::vector<PlannedCheck> checks;
  std::vector<std::string> files;     ///< all that were read, programs too
  std::vector<std::string> warnings;  ///< of the programs, with file and line
  /// Of the kernels that run as something else was made of them, each once.
  std::vector<std::shared_ptr<const TransformedKernel>> transformed;

  /// The bytes of state that each of these needs.
  std::vector<std::uint64_t> state_bytes() const;
};

/// Whether the files say what to launch.
bool has_launches(const configuration::Configuration& configuration);

/// Reads the sections of a configuration and every file that they name. Throws InputError with the place in the YAML
/// file (or in a program, at its own line) for the first thing that is wrong. `reserved` are names that no output may
/// have. `schemes`: whose instructions programs may use. `transform`: what is made of kernels of launches that do not
/// say `transform: false`.
LaunchPlan read_plan(const configuration::Configuration& configuration, std::span<const std::string> reserved = {},
                     SchemeList schemes = built_in_schemes(), const KernelTransformParameters& transform = {});

}  // namespace reconverge::launch
