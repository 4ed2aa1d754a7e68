// SPDX-License-Identifier: Apache-2.0
#include "platforms/cuda/places.hpp"

#include <cstring>

namespace reconverge::cuda {

bool on_device(Device& device, const void* pointer) { return device.memory().find(address_of(pointer)) != nullptr; }

Place device_place(Device& device, const void* pointer, std::size_t bytes, cudaError_t code) {
  if (bytes == 0) return {nullptr, true};
  const DeviceAddress address = address_of(pointer);
  const Buffer* const buffer = device.memory().find(address);
  require(buffer != nullptr && bytes <= buffer->address + buffer->bytes - address, code);
  return {device.memory().host() + address, true};
}

namespace {

/// `from_host`, `from_device`: what the kind says.
Place place(Device& device, const void* pointer, std::size_t bytes, bool of_host, bool of_device) {
  if (bytes == 0) return {nullptr, of_device};
  require(pointer != nullptr);
  const bool is_device = on_device(device, pointer);
  if (of_device || (!of_host && is_device)) return device_place(device, pointer, bytes);
  if (is_device) {
    const Allocation* const how = device.allocation_at(address_of(pointer));
    require(how != nullptr && *how != Allocation::device);
    return {device_place(device, pointer, bytes).bytes, false};
  }
  return {static_cast<std::byte*>(const_cast<void*>(pointer)), false};
}

}  // namespace

Place source_place(Device& device, const void* pointer, std::size_t bytes, cudaMemcpyKind kind) {
  require(kind >= cudaMemcpyHostToHost && kind <= cudaMemcpyDefault, cudaErrorInvalidMemcpyDirection);
  return place(device, pointer, bytes, kind == cudaMemcpyHostToHost || kind == cudaMemcpyHostToDevice,
               kind == cudaMemcpyDeviceToHost || kind == cudaMemcpyDeviceToDevice);
}

Place target_place(Device& device, void* pointer, std::size_t bytes, cudaMemcpyKind kind) {
  require(kind >= cudaMemcpyHostToHost && kind <= cudaMemcpyDefault, cudaErrorInvalidMemcpyDirection);
  return place(device, pointer, bytes, kind == cudaMemcpyHostToHost || kind == cudaMemcpyDeviceToHost,
               kind == cudaMemcpyHostToDevice || kind == cudaMemcpyDeviceToDevice);
}

void copy_box(Device& device, Place to, Pitch to_pitch, Place from, Pitch from_pitch, const Box& box) {
  if (box.bytes() == 0) return;
  const bool whole =
      box.planes * box.rows == 1 ||
      (to_pitch.row == box.row_bytes && from_pitch.row == box.row_bytes &&
       (box.planes == 1 || (to_pitch.plane == box.row_bytes * box.rows && from_pitch.plane == to_pitch.plane)));
  if (whole) {
    std::memmove(to.bytes, from.bytes, box.bytes());
  } else {
    for (std::size_t plane = 0; plane < box.planes; ++plane) {
      for (std::size_t row = 0; row < box.rows; ++row) {
        std::memmove(to.bytes + plane * to_pitch.plane + row * to_pitch.row,
                     from.bytes + plane * from_pitch.plane + row * from_pitch.row, box.row_bytes);
      }
    }
  }
  if (to.device != from.device) device.take_copy_time(box.bytes());
}

}  // namespace reconverge::cuda
