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

/// `from_host`, `from_device`: from the kind of the copy.
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

void copy_box(Device& device, const Side& to, const Side& from, const Box& box) {
  if (box.bytes() == 0) return;
  const auto is_whole = [&](const Pitch& pitch) {
    return (box.planes * box.rows == 1 || pitch.row == box.row_bytes) &&
           (box.planes == 1 || pitch.plane == box.row_bytes * box.rows);
  };
  if (is_whole(to.pitch) && is_whole(from.pitch)) {
    std::memmove(to.place.bytes, from.place.bytes, box.bytes());
  } else {
    for (std::size_t plane = 0; plane < box.planes; ++plane) {
      for (std::size_t row = 0; row < box.rows; ++row) {
        std::memmove(to.place.bytes + plane * to.pitch.plane + row * to.pitch.row,
                     from.place.bytes + plane * from.pitch.plane + row * from.pitch.row, box.row_bytes);
      }
    }
  }
  if (to.place.device != from.place.device) device.take_copy_time(box.bytes());
}

}  // namespace reconverge::cuda
