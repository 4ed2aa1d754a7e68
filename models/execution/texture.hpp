// SPDX-License-Identifier: Apache-2.0
#pragma once
/// Host functions for textures before a launch: binding texture references to buffers, and creating texture objects.

#include <cstdint>
#include <string>
#include <string_view>

#include "models/execution/device_memory.hpp"
#include "models/kernel/program.hpp"
#include "models/kernel/texture.hpp"

namespace reconverge {

/// A buffer, or the beginning of one, as a row, plane or volume of elements, x fastest: `channel` (u8 s8 u16 s16 u32
/// s32 f32) times `components`.
struct TextureView {
  DeviceAddress address = 0;
  std::uint64_t elements = 0;  ///< in x
  kernel::DataType channel = kernel::DataType::f32;
  unsigned components = 4;
  bool normalized = false;   ///< integers of 8 and 16 bits read as f32 in [0, 1] or [-1, 1]
  std::uint64_t rows = 0;    ///< elements in y; 0: for tex.1d
  std::uint64_t layers = 0;  ///< elements in z; 0: for tex.1d or tex.2d
  kernel::TextureFilter filter = kernel::TextureFilter::point;
  kernel::TextureAddressing addressing = kernel::TextureAddressing::border;
  bool normalized_coordinates = false;  ///< floating-point coordinates count from 0 to 1 over all elements
};

/// A texture object: the handle for `tex` with a register, passed to the kernel as a 64-bit argument. Throws InputError
/// if the elements are not within a buffer of `memory`, or the modes are inconsistent.
DeviceAddress make_texture(DeviceMemory& memory, std::string name, const TextureView& view);

/// Binds the texture reference `name` that `program` uses, for all kernels of its module, from the next launch on; it
/// may be bound again later. Throws InputError if the program has no reference of that name, or the view is invalid.
void bind_texture(DeviceMemory& memory, const kernel::Program& program, std::string_view name, const TextureView& view);

}  // namespace reconverge
