// SPDX-License-Identifier: Apache-2.0
#pragma once
/// Locations in the memory of host and device, and copies between them.

#include <cstddef>

#include "platforms/cuda/process.hpp"

/// Memory for textures: consecutive rows of elements.
struct cudaArray {
  reconverge::DeviceAddress address = 0;
  cudaChannelFormatDesc channel{};
  cudaExtent extent{};  // in elements; 0 in unused dimensions
  unsigned flags = 0;

  std::size_t element_bytes() const {
    return static_cast<std::size_t>(channel.x + channel.y + channel.z + channel.w) / 8;
  }
  std::size_t row_bytes() const { return extent.width * element_bytes(); }
  std::size_t rows() const { return extent.height == 0 ? 1 : extent.height; }
  std::size_t layers() const { return extent.depth == 0 ? 1 : extent.depth; }
};

namespace reconverge::cuda {

inline DeviceAddress address_of(const void* pointer) { return reinterpret_cast<DeviceAddress>(pointer); }
inline void* pointer_to(DeviceAddress address) {
  return reinterpret_cast<void*>(address);  // NOLINT(performance-no-int-to-ptr): programs hold addresses in pointers
}

/// Whether the address is in memory of the device.
bool on_device(Device& device, const void* pointer);

/// Bytes that copies can reach.
struct Place {
  std::byte* bytes = nullptr;
  bool device = false;
};

/// The place of device memory. Refuses `code` if any of the bytes are not in one buffer.
Place device_place(Device& device, const void* pointer, std::size_t bytes, cudaError_t code = cudaErrorInvalidValue);
/// A location, on the host or the device according to the kind of a copy; with cudaMemcpyDefault, according to its
/// address. Refuses device-only memory as a location on the host.
Place source_place(Device& device, const void* pointer, std::size_t bytes, cudaMemcpyKind kind);
Place target_place(Device& device, void* pointer, std::size_t bytes, cudaMemcpyKind kind);

/// A box of bytes within larger rows and planes.
struct Box {
  std::size_t row_bytes = 0;
  std::size_t rows = 1;
  std::size_t planes = 1;

  std::size_t bytes() const { return row_bytes * rows * planes; }
};

/// The beginnings of a box's rows.
struct Pitch {
  std::size_t row = 0;
  std::size_t plane = 0;

  /// From the first byte of the box to one after the last.
  std::size_t span(const Box& box) const {
    return box.bytes() == 0 ? 0 : (box.planes - 1) * plane + (box.rows - 1) * row + box.row_bytes;
  }
};

/// One side of a copy.
struct Side {
  Place place;  ///< of the first byte
  Pitch pitch;
};

/// Copies a box, and lets simulated time pass if it crosses from host to device or back.
void copy_box(Device& device, const Side& to, const Side& from, const Box& box);

}  // namespace reconverge::cuda
