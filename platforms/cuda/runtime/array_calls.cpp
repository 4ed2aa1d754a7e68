// SPDX-License-Identifier: Apache-2.0
// Copies of boxes and arrays.

#include "platforms/cuda/places.hpp"
#include "platforms/cuda/runtime/api.hpp"

namespace reconverge::cuda {

namespace {

/// A byte of a row of an array, or of pitched memory.
template <typename Memory>
struct Corner {
  Memory memory;
  cudaPos at;
};

/// Rows of the program, whose memory the kind of the copy names.
template <typename Address>
struct Rows {
  Address* address = nullptr;
  std::size_t pitch = 0;
  cudaMemcpyKind kind = cudaMemcpyDefault;

  Pitch of(const Box& box) const { return {pitch, pitch * box.rows}; }
};

Side array_side(Device& device, const Corner<const cudaArray*>& corner, const Box& box) {
  const auto& [array, at] = corner;
  require(array != nullptr);
  require(at.x + box.row_bytes <= array->row_bytes() && at.y + box.rows <= array->rows() &&
          at.z + box.planes <= array->layers());
  const Pitch pitch{array->row_bytes(), array->row_bytes() * array->rows()};
  const DeviceAddress first = array->address + at.z * pitch.plane + at.y * pitch.row + at.x;
  return {device_place(device, pointer_to(first), pitch.span(box)), pitch};
}

void copy_to_array(Process& state, const Corner<const cudaArray*>& to, const Rows<const void>& from, const Box& box) {
  if (box.bytes() == 0) return;
  Device& device = state.device();
  const Pitch pitch = from.of(box);
  copy_box(device, array_side(device, to, box), {source_place(device, from.address, pitch.span(box), from.kind), pitch},
           box);
}

void copy_from_array(Process& state, const Rows<void>& to, const Corner<const cudaArray*>& from, const Box& box) {
  if (box.bytes() == 0) return;
  Device& device = state.device();
  const Pitch pitch = to.of(box);
  copy_box(device, {target_place(device, to.address, pitch.span(box), to.kind), pitch}, array_side(device, from, box),
           box);
}

/// The box of consecutive bytes of an array, which must be whole rows or lie in one row.
Box linear_box(const cudaArray* array, std::size_t at, std::size_t bytes) {
  require(array != nullptr);
  const std::size_t row = array->row_bytes();
  if (at + bytes <= row) return {bytes};
  require(at == 0 && bytes % row == 0, cudaErrorNotSupported);
  return {row, bytes / row};
}

Pitch pitch_of(const cudaPitchedPtr& pitched) { return {pitched.pitch, pitched.pitch * pitched.ysize}; }

std::byte* first_byte(const cudaPitchedPtr& pitched, cudaPos at) {
  const Pitch pitch = pitch_of(pitched);
  return static_cast<std::byte*>(pitched.ptr) + at.z * pitch.plane + at.y * pitch.row + at.x;
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
  Side from;
  Side to;
  if (what.srcArray != nullptr) {
    from = array_side(device, {what.srcArray, in_bytes(what.srcArray, what.srcPos)}, box);
  } else {
    from.pitch = pitch_of(what.srcPtr);
    from.place = source_place(device, first_byte(what.srcPtr, what.srcPos), from.pitch.span(box), what.kind);
  }
  if (what.dstArray != nullptr) {
    to = array_side(device, {what.dstArray, in_bytes(what.dstArray, what.dstPos)}, box);
  } else {
    to.pitch = pitch_of(what.dstPtr);
    to.place = target_place(device, first_byte(what.dstPtr, what.dstPos), to.pitch.span(box), what.kind);
  }
  copy_box(device, to, from, box);
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
  return call([&](Process& state) { copy_to_array(state, {to, {x, y, 0}}, {from, pitch, kind}, {width, height}); });
}

cudaError_t RECONVERGE_CUDA(cudaMemcpy2DToArrayAsync)(cudaArray_t to, std::size_t x, std::size_t y, const void* from,
                                                      std::size_t pitch, std::size_t width, std::size_t height,
                                                      cudaMemcpyKind kind, cudaStream_t /*stream*/) {
  return RECONVERGE_CUDA(cudaMemcpy2DToArray)(to, x, y, from, pitch, width, height, kind);
}

cudaError_t RECONVERGE_CUDA(cudaMemcpy2DFromArray)(void* to, std::size_t pitch, const cudaArray* from, std::size_t x,
                                                   std::size_t y, std::size_t width, std::size_t height,
                                                   cudaMemcpyKind kind) {
  return call([&](Process& state) { copy_from_array(state, {to, pitch, kind}, {from, {x, y, 0}}, {width, height}); });
}

cudaError_t RECONVERGE_CUDA(cudaMemcpyToArray)(cudaArray_t to, std::size_t x, std::size_t y, const void* from,
                                               std::size_t bytes, cudaMemcpyKind kind) {
  return call([&](Process& state) {
    const Box box = linear_box(to, x, bytes);
    copy_to_array(state, {to, {x, y, 0}}, {from, box.row_bytes, kind}, box);
  });
}

cudaError_t RECONVERGE_CUDA(cudaMemcpyFromArray)(void* to, const cudaArray* from, std::size_t x, std::size_t y,
                                                 std::size_t bytes, cudaMemcpyKind kind) {
  return call([&](Process& state) {
    const Box box = linear_box(from, x, bytes);
    copy_from_array(state, {to, box.row_bytes, kind}, {from, {x, y, 0}}, box);
  });
}

}  // extern "C"

}  // namespace reconverge::cuda
