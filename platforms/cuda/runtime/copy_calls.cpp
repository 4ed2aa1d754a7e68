// SPDX-License-Identifier: Apache-2.0 Copies and fills of linear memory and variables. Asynchronous calls have
// completed when they return, because each call waits for all earlier ones.

#include <algorithm>
#include <cstring>

#include "platforms/cuda/places.hpp"
#include "platforms/cuda/runtime/api.hpp"

namespace reconverge::cuda {

namespace {

void copy(Process& state, void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind) {
  Device& device = state.device();
  copy_box(device, {target_place(device, to, bytes, kind), {}}, {source_place(device, from, bytes, kind), {}}, {bytes});
}

template <typename Address>
struct Rows {
  Address* address = nullptr;
  std::size_t pitch = 0;

  Pitch of(const Box& box) const { return {pitch, pitch * box.rows}; }
};

void copy_rows(Process& state, const Rows<void>& to, const Rows<const void>& from, const Box& box,
               cudaMemcpyKind kind) {
  if (box.bytes() == 0) return;
  require(box.row_bytes <= to.pitch && box.row_bytes <= from.pitch, cudaErrorInvalidPitchValue);
  Device& device = state.device();
  copy_box(device, {target_place(device, to.address, to.of(box).span(box), kind), to.of(box)},
           {source_place(device, from.address, from.of(box).span(box), kind), from.of(box)}, box);
}

/// The device's address of a place in a variable that the host names.
void* variable_place(Process& state, const void* symbol, std::size_t bytes, std::size_t offset) {
  const DeviceName* const name = state.modules.variable(symbol);
  require(name != nullptr, cudaErrorInvalidSymbol);
  require(offset <= name->bytes && bytes <= name->bytes - offset);
  const DeviceAddress address =
      or_else(cudaErrorInvalidSymbol, [&] { return name->module->variable(name->name, state.device().memory()); });
  return pointer_to(address + offset);
}

void fill(Process& state, void* to, Pitch pitch, int value, const Box& box) {
  if (box.bytes() == 0) return;
  const Place place = device_place(state.device(), to, pitch.span(box));
  for (std::size_t plane = 0; plane < box.planes; ++plane) {
    for (std::size_t row = 0; row < box.rows; ++row)
      std::memset(place.bytes + plane * pitch.plane + row * pitch.row, value, box.row_bytes);
  }
}

}  // namespace

extern "C" {

cudaError_t RECONVERGE_CUDA(cudaMemcpy)(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind) {
  return call([&](Process& state) { copy(state, to, from, bytes, kind); });
}

cudaError_t RECONVERGE_CUDA(cudaMemcpyAsync)(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind,
                                             cudaStream_t /*stream*/) {
  return RECONVERGE_CUDA(cudaMemcpy)(to, from, bytes, kind);
}

cudaError_t RECONVERGE_CUDA(cudaMemcpyPeer)(void* to, int to_device, const void* from, int from_device,
                                            std::size_t bytes) {
  return call([&](Process& state) {
    require(to_device == 0 && from_device == 0, cudaErrorInvalidDevice);
    copy(state, to, from, bytes, cudaMemcpyDeviceToDevice);
  });
}

cudaError_t RECONVERGE_CUDA(cudaMemcpy2D)(void* to, std::size_t to_pitch, const void* from, std::size_t from_pitch,
                                          std::size_t width, std::size_t height, cudaMemcpyKind kind) {
  return call([&](Process& state) { copy_rows(state, {to, to_pitch}, {from, from_pitch}, {width, height}, kind); });
}

cudaError_t RECONVERGE_CUDA(cudaMemcpy2DAsync)(void* to, std::size_t to_pitch, const void* from, std::size_t from_pitch,
                                               std::size_t width, std::size_t height, cudaMemcpyKind kind,
                                               cudaStream_t /*stream*/) {
  return RECONVERGE_CUDA(cudaMemcpy2D)(to, to_pitch, from, from_pitch, width, height, kind);
}

cudaError_t RECONVERGE_CUDA(cudaMemcpyToSymbol)(const void* symbol, const void* from, std::size_t bytes,
                                                std::size_t offset, cudaMemcpyKind kind) {
  return call([&](Process& state) { copy(state, variable_place(state, symbol, bytes, offset), from, bytes, kind); });
}

cudaError_t RECONVERGE_CUDA(cudaMemcpyToSymbolAsync)(const void* symbol, const void* from, std::size_t bytes,
                                                     std::size_t offset, cudaMemcpyKind kind, cudaStream_t /*stream*/) {
  return RECONVERGE_CUDA(cudaMemcpyToSymbol)(symbol, from, bytes, offset, kind);
}

cudaError_t RECONVERGE_CUDA(cudaMemcpyFromSymbol)(void* to, const void* symbol, std::size_t bytes, std::size_t offset,
                                                  cudaMemcpyKind kind) {
  return call([&](Process& state) { copy(state, to, variable_place(state, symbol, bytes, offset), bytes, kind); });
}

cudaError_t RECONVERGE_CUDA(cudaMemcpyFromSymbolAsync)(void* to, const void* symbol, std::size_t bytes,
                                                       std::size_t offset, cudaMemcpyKind kind,
                                                       cudaStream_t /*stream*/) {
  return RECONVERGE_CUDA(cudaMemcpyFromSymbol)(to, symbol, bytes, offset, kind);
}

cudaError_t RECONVERGE_CUDA(cudaGetSymbolAddress)(void** address, const void* symbol) {
  return call([&](Process& state) {
    require(address != nullptr);
    *address = variable_place(state, symbol, 0, 0);
  });
}

cudaError_t RECONVERGE_CUDA(cudaGetSymbolSize)(std::size_t* bytes, const void* symbol) {
  return call([&](Process& state) {
    const DeviceName* const name = state.modules.variable(symbol);
    require(name != nullptr, cudaErrorInvalidSymbol);
    require(bytes != nullptr);
    *bytes = name->bytes;
  });
}

cudaError_t RECONVERGE_CUDA(cudaMemset)(void* to, int value, std::size_t bytes) {
  return call([&](Process& state) { fill(state, to, {}, value, {bytes}); });
}

cudaError_t RECONVERGE_CUDA(cudaMemsetAsync)(void* to, int value, std::size_t bytes, cudaStream_t /*stream*/) {
  return RECONVERGE_CUDA(cudaMemset)(to, value, bytes);
}

cudaError_t RECONVERGE_CUDA(cudaMemset2D)(void* to, std::size_t pitch, int value, std::size_t width,
                                          std::size_t height) {
  return call([&](Process& state) {
    require(width <= pitch || height <= 1);
    fill(state, to, {pitch, pitch * height}, value, {width, height});
  });
}

cudaError_t RECONVERGE_CUDA(cudaMemset2DAsync)(void* to, std::size_t pitch, int value, std::size_t width,
                                               std::size_t height, cudaStream_t /*stream*/) {
  return RECONVERGE_CUDA(cudaMemset2D)(to, pitch, value, width, height);
}

cudaError_t RECONVERGE_CUDA(cudaMemset3D)(cudaPitchedPtr to, int value, cudaExtent extent) {
  return call([&](Process& state) {
    fill(state, to.ptr, {to.pitch, to.pitch * to.ysize}, value, {extent.width, extent.height, extent.depth});
  });
}

cudaError_t RECONVERGE_CUDA(cudaMemset3DAsync)(cudaPitchedPtr to, int value, cudaExtent extent,
                                               cudaStream_t /*stream*/) {
  return RECONVERGE_CUDA(cudaMemset3D)(to, value, extent);
}

}  // extern "C"

}  // namespace reconverge::cuda
