// SPDX-License-Identifier: Apache-2.0
// Allocating and freeing memory.

#include <algorithm>
#include <memory>
#include <set>

#include "models/core/error.hpp"
#include "platforms/cuda/places.hpp"
#include "platforms/cuda/runtime/api.hpp"

namespace reconverge::cuda {

namespace {

/// Programs find out the free memory by trying, so a refusal is not reported to the user.
void* allocate(Process& state, std::size_t bytes, Allocation how) {
  if (bytes == 0) return nullptr;
  try {
    return pointer_to(state.device().allocate(bytes, how));
  } catch (const InputError&) {
    throw Refusal{cudaErrorMemoryAllocation};
  }
}

void release(Process& state, void* pointer, bool of_host) {
  if (pointer == nullptr) return;
  require(state.device().release(address_of(pointer), of_host));
}

std::set<const void*>& registered() {
  static auto& known = *std::make_unique<std::set<const void*>>().release();
  return known;
}

/// Rows begin at multiples of the alignment of textures.
constexpr std::size_t pitch_unit = 512;

std::size_t pitch_of(std::size_t width) { return (width + pitch_unit - 1) / pitch_unit * pitch_unit; }

cudaArray_t allocate_array(Process& state, const cudaChannelFormatDesc* channel, cudaExtent extent, unsigned flags) {
  require(channel != nullptr);
  require((flags & ~static_cast<unsigned>(cudaArraySurfaceLoadStore)) == 0, cudaErrorNotSupported);
  auto array = std::make_unique<cudaArray>();
  array->channel = *channel;
  array->extent = extent;
  array->flags = flags;
  require(array->element_bytes() != 0, cudaErrorInvalidChannelDescriptor);
  array->address =
      address_of(allocate(state, array->row_bytes() * array->rows() * array->layers(), Allocation::device));
  return array.release();
}

}  // namespace

extern "C" {

cudaError_t RECONVERGE_CUDA(cudaMalloc)(void** address, std::size_t bytes) {
  return call([&](Process& state) {
    require(address != nullptr);
    *address = allocate(state, bytes, Allocation::device);
  });
}

/// In the order of the calls, regardless of the stream.
cudaError_t RECONVERGE_CUDA(cudaMallocAsync)(void** address, std::size_t bytes, cudaStream_t /*stream*/) {
  return RECONVERGE_CUDA(cudaMalloc)(address, bytes);
}

cudaError_t RECONVERGE_CUDA(cudaMallocManaged)(void** address, std::size_t bytes, unsigned flags) {
  return call([&](Process& state) {
    require(address != nullptr && bytes != 0 && (flags == cudaMemAttachGlobal || flags == cudaMemAttachHost));
    *address = allocate(state, bytes, Allocation::managed);
  });
}

cudaError_t RECONVERGE_CUDA(cudaMallocHost)(void** address, std::size_t bytes) {
  return call([&](Process& state) {
    require(address != nullptr);
    *address = allocate(state, bytes, Allocation::host);
  });
}

cudaError_t RECONVERGE_CUDA(cudaHostAlloc)(void** address, std::size_t bytes, unsigned flags) {
  return call([&](Process& state) {
    constexpr unsigned known = cudaHostAllocPortable | cudaHostAllocMapped | cudaHostAllocWriteCombined;
    require(address != nullptr && (flags & ~known) == 0);
    *address = allocate(state, bytes, Allocation::host);
  });
}

cudaError_t RECONVERGE_CUDA(cudaFree)(void* address) {
  return call([&](Process& state) { release(state, address, false); });
}

cudaError_t RECONVERGE_CUDA(cudaFreeAsync)(void* address, cudaStream_t /*stream*/) {
  return RECONVERGE_CUDA(cudaFree)(address);
}

cudaError_t RECONVERGE_CUDA(cudaFreeHost)(void* address) {
  return call([&](Process& state) { release(state, address, true); });
}

cudaError_t RECONVERGE_CUDA(cudaHostGetDevicePointer)(void** device, void* host, unsigned flags) {
  return call([&](Process& state) {
    require(device != nullptr && flags == 0);
    const Allocation* const how = state.device().allocation_at(address_of(host));
    require(how != nullptr && *how == Allocation::host);
    *device = host;
  });
}

/// Memory of the program that copies reach as before. Kernels do not reach it.
cudaError_t RECONVERGE_CUDA(cudaHostRegister)(void* host, std::size_t bytes, unsigned flags) {
  return call([&](Process& state) {
    require(host != nullptr && bytes != 0);
    require((flags & cudaHostRegisterMapped) == 0, cudaErrorNotSupported);
    require(!on_device(state.device(), host) && registered().insert(host).second, cudaErrorHostMemoryAlreadyRegistered);
  });
}

cudaError_t RECONVERGE_CUDA(cudaHostUnregister)(void* host) {
  return call([&](Process&) { require(registered().erase(host) == 1, cudaErrorHostMemoryNotRegistered); });
}

cudaError_t RECONVERGE_CUDA(cudaHostGetFlags)(unsigned* flags, void* host) {
  return call([&](Process& state) {
    const Allocation* const how = state.device().allocation_at(address_of(host));
    require(flags != nullptr && how != nullptr && *how == Allocation::host);
    *flags = cudaHostAllocMapped;
  });
}

cudaError_t RECONVERGE_CUDA(cudaMallocPitch)(void** address, std::size_t* pitch, std::size_t width,
                                             std::size_t height) {
  return call([&](Process& state) {
    require(address != nullptr && pitch != nullptr);
    *pitch = pitch_of(width);
    *address = allocate(state, *pitch * height, Allocation::device);
  });
}

cudaError_t RECONVERGE_CUDA(cudaMalloc3D)(cudaPitchedPtr* pitched, cudaExtent extent) {
  return call([&](Process& state) {
    require(pitched != nullptr);
    const std::size_t pitch = pitch_of(extent.width);
    void* const address = allocate(state, pitch * extent.height * extent.depth, Allocation::device);
    *pitched = {address, pitch, extent.width, extent.height};
  });
}

cudaError_t RECONVERGE_CUDA(cudaMallocArray)(cudaArray_t* array, const cudaChannelFormatDesc* channel,
                                             std::size_t width, std::size_t height, unsigned flags) {
  return call([&](Process& state) {
    require(array != nullptr);
    *array = allocate_array(state, channel, {width, height, 0}, flags);
  });
}

cudaError_t RECONVERGE_CUDA(cudaMalloc3DArray)(cudaArray_t* array, const cudaChannelFormatDesc* channel,
                                               cudaExtent extent, unsigned flags) {
  return call([&](Process& state) {
    require(array != nullptr);
    *array = allocate_array(state, channel, extent, flags);
  });
}

cudaError_t RECONVERGE_CUDA(cudaFreeArray)(cudaArray_t array) {
  return call([&](Process& state) {
    const std::unique_ptr<cudaArray> owned(array);
    if (owned) state.device().release(owned->address, false);
  });
}

cudaError_t RECONVERGE_CUDA(cudaArrayGetInfo)(cudaChannelFormatDesc* channel, cudaExtent* extent, unsigned* flags,
                                              cudaArray_t array) {
  return call([&](Process&) {
    require(array != nullptr);
    if (channel != nullptr) *channel = array->channel;
    if (extent != nullptr) *extent = array->extent;
    if (flags != nullptr) *flags = array->flags;
  });
}

cudaError_t RECONVERGE_CUDA(cudaGetChannelDesc)(cudaChannelFormatDesc* channel, const cudaArray* array) {
  return call([&](Process&) {
    require(array != nullptr && channel != nullptr);
    *channel = array->channel;
  });
}

cudaError_t RECONVERGE_CUDA(cudaMemGetInfo)(std::size_t* free, std::size_t* total) {
  return call([&](Process& state) {
    require(free != nullptr && total != nullptr);
    *total = state.device().memory().capacity();
    *free = *total - std::min<std::size_t>(*total, state.device().allocated_bytes());
  });
}

cudaError_t RECONVERGE_CUDA(cudaPointerGetAttributes)(cudaPointerAttributes* attributes, const void* pointer) {
  return call([&](Process& state) {
    require(attributes != nullptr);
    Device& device = state.device();
    *attributes = {cudaMemoryTypeUnregistered, 0, nullptr, const_cast<void*>(pointer)};
    if (!on_device(device, pointer)) return;
    const Allocation* const how = device.allocation_at(address_of(pointer));
    attributes->devicePointer = const_cast<void*>(pointer);
    const bool reached = how != nullptr && *how != Allocation::device;
    if (!reached) attributes->hostPointer = nullptr;
    attributes->type = !reached                      ? cudaMemoryTypeDevice
                       : *how == Allocation::managed ? cudaMemoryTypeManaged
                                                     : cudaMemoryTypeHost;
  });
}

}  // extern "C"

}  // namespace reconverge::cuda
