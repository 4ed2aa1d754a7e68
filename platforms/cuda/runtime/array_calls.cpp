// SPDX-License-Identifier: Apache-2.0
// Copies of boxes and arrays.

#include "platforms/cuda/places.hpp"
#include "platforms/cuda/runtime/api.hpp"

namespace reconverge::cuda {

namespace {

/// A side of a copy: its first byte and where its rows begin.
struct Side {
  Place place;
  Pitch pitch;
};

/// Rows of an array from this byte of a row and this row on.
Side array_side(Device& device, const cudaArray* array, cudaPos at, const Box& box) {
  require(array != nullptr);
  require(at.x + box.row_bytes <= array->row_bytes() && at.y + box.rows <= array->rows() &&
          at.z + box.planes <= array->layers());
  const Pitch pitch{array->row_bytes(), array->row_bytes() * array->rows()};
  const DeviceAddress first = array->address + at.z * pitch.plane + at.y * pitch.row + at.x;
  return {device_place(device, pointer_to(first), pitch.span(box)), pitch};
}

void copy_to_array(Process& state, cudaArray* to, cudaPos at, const void* from, std::size_t pitch, const Box& box,
                   cudaMemcpyKind kind) {
  if (box.bytes() == 0) return;
  Device& device = state.device();
  const Side target = array_side(device, to, at, box);
  const Pitch rows{pitch, pitch * box.rows};
  copy_box(device, target.place, target.pitch, source_place(device, from, rows.span(box), kind), rows, box);
}

void copy_from_array(Process& state, void* to, std::size_t pitch, const cudaArray* from, cudaPos at, const Box& box,
                     cudaMemcpyKind kind) {
  if (box.bytes() == 0) return;
  Device& device = state.device();
  const Side source = array_side(device, from, at, box);
  const Pitch rows{pitch, pitch * box.rows};
  copy_box(device, target_place(device, to, rows.span(box), kind), rows, source.place, source.pitch, box);
}

/// The box of consecutive bytes of an array, which must be whole rows or lie in one row.
Box linear_box(const cudaArray* array, std::size_t at, std::size_t bytes) {
  require(array != nullptr);
  const std::size_t row = array->row_bytes();
  if (at + bytes <= row) return {bytes};
  require(at == 0 && bytes % row == 0, cudaErrorNotSupported);
  return {row, bytes / row};
}

Side pitched_side(Device& device, const cudaPitchedPtr& pitched, cudaPos at, const Box& box, cudaMemcpyKind kind,
                  bool target) {
  const Pitch pitch{pitched.pitch, pitched.pitch * pitched.ysize};
  auto* const first = static_cast<std::byte*>(pitched.ptr) + at.z * pitch.plane + at.y * pitch.row + at.x;
  const std::size_t span = pitch.span(box);
  return {target ? target_place(device, first, span, kind) : source_place(device, first, span, kind), pitch};
}

void copy_3d(Process& state, const cudaMemcpy3DParms& what) {
  require((what.srcArray == nullptr) != (what.srcPtr.ptr == nullptr));
  require((what.dstArray == nullptr) != (what.dstPtr.ptr == nullptr));
  Device& device = state.device();
  // With an array, the extent counts its elements.
  const cudaArray* const array = what.srcArray != nullptr ? what.srcArray : what.dstArray;
  const std::size_t unit = array != nullptr ? array->element_bytes() : 1;
  const Box box{what.extent.width * unit, what.extent.height, what.extent.depth};
  if (box.bytes() == 0) return;
  const auto in_bytes = [](const cudaArray* of, cudaPos at) { return cudaPos{at.x * of->element_bytes(), at.y, at.z}; };
  const Side from = what.srcArray != nullptr
                        ? array_side(device, what.srcArray, in_bytes(what.srcArray, what.srcPos), box)
                        : pitched_side(device, what.srcPtr, what.srcPos, box, what.kind, false);
  const Side to = what.dstArray != nullptr
                      ? array_side(device, what.dstArray, in_bytes(what.dstArray, what.dstPos), box)
                      : pitched_side(device, what.dstPtr, what.dstPos, box, what.kind, true);
  copy_box(device, to.place, to.pitch, from.place, from.pitch, box);
}

}  // namespace

extern "C" {

cudaError_t RECONVERGE_CUDA(cudaMemcpy3D)(const cudaMemcpy3DParms* what) {
  return call([&](Process& state) {
    require(what != nullptr);
    copy_3d(state, *what);
  });
}

cudaError_t RECONVERGE_CUDA(cudaMemcpy3DAsync)(const cudaMemcpy3DParms* what, cudaStream_t /*stream*/) {
  return RECONVERGE_CUDA(cudaMemcpy3D)(what);
}

cudaError_t RECONVERGE_CUDA(cudaMemcpy2DToArray)(cudaArray_t to, std::size_t x, std::size_t y, const void* from,
                                                 std::size_t pitch, std::size_t width, std::size_t height,
                                                 cudaMemcpyKind kind) {
  return call([&](Process& state) { copy_to_array(state, to, {x, y, 0}, from, pitch, {width, height}, kind); });
}

cudaError_t RECONVERGE_CUDA(cudaMemcpy2DToArrayAsync)(cudaArray_t to, std::size_t x, std::size_t y, const void* from,
                                                      std::size_t pitch, std::size_t width, std::size_t height,
                                                      cudaMemcpyKind kind, cudaStream_t /*stream*/) {
  return RECONVERGE_CUDA(cudaMemcpy2DToArray)(to, x, y, from, pitch, width, height, kind);
}

cudaError_t RECONVERGE_CUDA(cudaMemcpy2DFromArray)(void* to, std::size_t pitch, const cudaArray* from, std::size_t x,
                                                   std::size_t y, std::size_t width, std::size_t height,
                                                   cudaMemcpyKind kind) {
  return call([&](Process& state) { copy_from_array(state, to, pitch, from, {x, y, 0}, {width, height}, kind); });
}

cudaError_t RECONVERGE_CUDA(cudaMemcpyToArray)(cudaArray_t to, std::size_t x, std::size_t y, const void* from,
                                               std::size_t bytes, cudaMemcpyKind kind) {
  return call([&](Process& state) {
    const Box box = linear_box(to, x, bytes);
    copy_to_array(state, to, {x, y, 0}, from, box.row_bytes, box, kind);
  });
}

cudaError_t RECONVERGE_CUDA(cudaMemcpyFromArray)(void* to, const cudaArray* from, std::size_t x, std::size_t y,
                                                 std::size_t bytes, cudaMemcpyKind kind) {
  return call([&](Process& state) {
    const Box box = linear_box(from, x, bytes);
    copy_from_array(state, to, box.row_bytes, from, {x, y, 0}, box, kind);
  });
}

}  // extern "C"

}  // namespace reconverge::cuda
