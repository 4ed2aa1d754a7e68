// SPDX-License-Identifier: Apache-2.0
// The driver API: memory, copies, streams and events.

#include <cstdint>
#include <cstring>

#include "platforms/cuda/places.hpp"
#include "platforms/cuda/runtime/driver.hpp"

extern "C" {
cudaError_t reconverge_cudaMalloc(void** address, std::size_t bytes);
cudaError_t reconverge_cudaMallocManaged(void** address, std::size_t bytes, unsigned flags);
cudaError_t reconverge_cudaMallocHost(void** address, std::size_t bytes);
cudaError_t reconverge_cudaHostAlloc(void** address, std::size_t bytes, unsigned flags);
cudaError_t reconverge_cudaFree(void* address);
cudaError_t reconverge_cudaFreeHost(void* address);
cudaError_t reconverge_cudaMemcpy(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind);
cudaError_t reconverge_cudaMallocPitch(void** address, std::size_t* pitch, std::size_t width, std::size_t height);
cudaError_t reconverge_cudaHostGetDevicePointer(void** device, void* host, unsigned flags);
cudaError_t reconverge_cudaHostGetFlags(unsigned* flags, void* host);
cudaError_t reconverge_cudaHostRegister(void* host, std::size_t bytes, unsigned flags);
cudaError_t reconverge_cudaHostUnregister(void* host);
cudaError_t reconverge_cudaStreamQuery(cudaStream_t stream);
cudaError_t reconverge_cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned flags);
cudaError_t reconverge_cudaEventQuery(cudaEvent_t event);
cudaError_t reconverge_cudaMemset(void* to, int value, std::size_t bytes);
cudaError_t reconverge_cudaMemGetInfo(std::size_t* free, std::size_t* total);
cudaError_t reconverge_cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned flags);
cudaError_t reconverge_cudaStreamSynchronize(cudaStream_t stream);
cudaError_t reconverge_cudaStreamDestroy(cudaStream_t stream);
cudaError_t reconverge_cudaEventCreateWithFlags(cudaEvent_t* event, unsigned flags);
cudaError_t reconverge_cudaEventRecord(cudaEvent_t event, cudaStream_t stream);
cudaError_t reconverge_cudaEventSynchronize(cudaEvent_t event);
cudaError_t reconverge_cudaEventElapsedTime(float* milliseconds, cudaEvent_t from, cudaEvent_t to);
cudaError_t reconverge_cudaEventDestroy(cudaEvent_t event);
}

namespace reconverge::cuda {

namespace {

/// One side of a copy of rows, as in CUDA_MEMCPY2D.
struct CopySide {
  std::size_t x = 0;  // bytes
  std::size_t y = 0;
  unsigned kind = 0;  // of memory
  const void* host = nullptr;
  DeviceAddress device = 0;
  void* array = nullptr;
  std::size_t pitch = 0;

  /// Arrays are for textures, whose functions the driver API does not have here.
  void* start() const {
    constexpr unsigned of_host = 1;
    constexpr unsigned of_array = 3;
    require(kind != of_array, cudaErrorNotSupported);
    void* const base = kind == of_host ? const_cast<void*>(host) : pointer_to(device);
    return static_cast<std::byte*>(base) + y * pitch + x;
  }
  std::size_t pitch_of(std::size_t width) const { return pitch == 0 ? width : pitch; }
};

struct Copy2D {
  CopySide from;
  CopySide to;
  std::size_t width = 0;  // bytes
  std::size_t height = 0;
};

template <typename Value>
void fill(Process& state, DeviceAddress to, Value value, std::size_t count) {
  std::byte* const bytes = device_place(state.device(), pointer_to(to), count * sizeof(value)).bytes;
  for (std::size_t i = 0; i < count; ++i) std::memcpy(bytes + i * sizeof(value), &value, sizeof(value));
}

}  // namespace

extern "C" {

Result RECONVERGE_CUDA(cuMemGetInfo_v2)(std::size_t* free, std::size_t* total) {
  return driver(reconverge_cudaMemGetInfo(free, total));
}

Result RECONVERGE_CUDA(cuMemAlloc_v2)(void** address, std::size_t bytes) {
  return bytes == 0 ? static_cast<int>(cudaErrorInvalidValue) : driver(reconverge_cudaMalloc(address, bytes));
}

/// `unit`: bytes of an element, which the pitch suits in any case.
Result RECONVERGE_CUDA(cuMemAllocPitch_v2)(void** address, std::size_t* pitch, std::size_t width, std::size_t height,
                                           unsigned /*unit*/) {
  return driver(reconverge_cudaMallocPitch(address, pitch, width, height));
}

Result RECONVERGE_CUDA(cuMemGetAddressRange_v2)(DeviceAddress* begin, std::size_t* bytes, DeviceAddress address) {
  return driver_call([&](Process& state) {
    const Buffer* const buffer = state.device().memory().find(address);
    require(buffer != nullptr);
    if (begin != nullptr) *begin = buffer->address;
    if (bytes != nullptr) *bytes = buffer->bytes;
  });
}

Result RECONVERGE_CUDA(cuMemHostGetDevicePointer_v2)(void** device, void* host, unsigned flags) {
  return driver(reconverge_cudaHostGetDevicePointer(device, host, flags));
}

Result RECONVERGE_CUDA(cuMemHostGetFlags)(unsigned* flags, void* host) {
  return driver(reconverge_cudaHostGetFlags(flags, host));
}

Result RECONVERGE_CUDA(cuMemHostRegister_v2)(void* host, std::size_t bytes, unsigned flags) {
  return driver(reconverge_cudaHostRegister(host, bytes, flags));
}

Result RECONVERGE_CUDA(cuMemHostUnregister)(void* host) { return driver(reconverge_cudaHostUnregister(host)); }

Result RECONVERGE_CUDA(cuMemAllocManaged)(void** address, std::size_t bytes, unsigned flags) {
  return driver(reconverge_cudaMallocManaged(address, bytes, flags));
}

Result RECONVERGE_CUDA(cuMemFree_v2)(void* address) { return driver(reconverge_cudaFree(address)); }

Result RECONVERGE_CUDA(cuMemAllocHost_v2)(void** address, std::size_t bytes) {
  return driver(reconverge_cudaMallocHost(address, bytes));
}

Result RECONVERGE_CUDA(cuMemHostAlloc)(void** address, std::size_t bytes, unsigned flags) {
  return driver(reconverge_cudaHostAlloc(address, bytes, flags));
}

Result RECONVERGE_CUDA(cuMemFreeHost)(void* address) { return driver(reconverge_cudaFreeHost(address)); }

Result RECONVERGE_CUDA(cuMemcpyHtoD_v2)(void* to, const void* from, std::size_t bytes) {
  return driver(reconverge_cudaMemcpy(to, from, bytes, cudaMemcpyHostToDevice));
}

Result RECONVERGE_CUDA(cuMemcpyDtoH_v2)(void* to, const void* from, std::size_t bytes) {
  return driver(reconverge_cudaMemcpy(to, from, bytes, cudaMemcpyDeviceToHost));
}

Result RECONVERGE_CUDA(cuMemcpyDtoD_v2)(void* to, const void* from, std::size_t bytes) {
  return driver(reconverge_cudaMemcpy(to, from, bytes, cudaMemcpyDeviceToDevice));
}

Result RECONVERGE_CUDA(cuMemcpyDtoDAsync_v2)(void* to, const void* from, std::size_t bytes, cudaStream_t /*stream*/) {
  return RECONVERGE_CUDA(cuMemcpyDtoD_v2)(to, from, bytes);
}

Result RECONVERGE_CUDA(cuMemcpyHtoDAsync_v2)(void* to, const void* from, std::size_t bytes, cudaStream_t /*stream*/) {
  return RECONVERGE_CUDA(cuMemcpyHtoD_v2)(to, from, bytes);
}

Result RECONVERGE_CUDA(cuMemcpyDtoHAsync_v2)(void* to, const void* from, std::size_t bytes, cudaStream_t /*stream*/) {
  return RECONVERGE_CUDA(cuMemcpyDtoH_v2)(to, from, bytes);
}

Result RECONVERGE_CUDA(cuMemsetD8_v2)(void* to, unsigned char value, std::size_t count) {
  return driver(reconverge_cudaMemset(to, value, count));
}

Result RECONVERGE_CUDA(cuMemsetD8Async)(void* to, unsigned char value, std::size_t count, cudaStream_t /*stream*/) {
  return driver(reconverge_cudaMemset(to, value, count));
}

Result RECONVERGE_CUDA(cuMemsetD16_v2)(DeviceAddress to, std::uint16_t value, std::size_t count) {
  return driver_call([&](Process& state) { fill(state, to, value, count); });
}

Result RECONVERGE_CUDA(cuMemsetD16Async)(DeviceAddress to, std::uint16_t value, std::size_t count,
                                         cudaStream_t /*stream*/) {
  return RECONVERGE_CUDA(cuMemsetD16_v2)(to, value, count);
}

Result RECONVERGE_CUDA(cuMemsetD32_v2)(DeviceAddress to, std::uint32_t value, std::size_t count) {
  return driver_call([&](Process& state) { fill(state, to, value, count); });
}

Result RECONVERGE_CUDA(cuMemsetD32Async)(DeviceAddress to, std::uint32_t value, std::size_t count,
                                         cudaStream_t /*stream*/) {
  return RECONVERGE_CUDA(cuMemsetD32_v2)(to, value, count);
}

Result RECONVERGE_CUDA(cuMemcpy2D_v2)(const Copy2D* copy) {
  return driver_call([&](Process&) {
    require(copy != nullptr);
    const auto* const from = static_cast<const std::byte*>(copy->from.start());
    auto* const to = static_cast<std::byte*>(copy->to.start());
    for (std::size_t row = 0; row < copy->height; ++row) {
      const cudaError_t code =
          reconverge_cudaMemcpy(to + row * copy->to.pitch_of(copy->width),
                                from + row * copy->from.pitch_of(copy->width), copy->width, cudaMemcpyDefault);
      require(code == cudaSuccess, code);
    }
  });
}

Result RECONVERGE_CUDA(cuMemcpy2DUnaligned_v2)(const Copy2D* copy) { return RECONVERGE_CUDA(cuMemcpy2D_v2)(copy); }

Result RECONVERGE_CUDA(cuMemcpy2DAsync_v2)(const Copy2D* copy, cudaStream_t /*stream*/) {
  return RECONVERGE_CUDA(cuMemcpy2D_v2)(copy);
}

Result RECONVERGE_CUDA(cuStreamCreate)(cudaStream_t* stream, unsigned flags) {
  return driver(reconverge_cudaStreamCreateWithFlags(stream, flags));
}

Result RECONVERGE_CUDA(cuStreamSynchronize)(cudaStream_t stream) {
  return driver(reconverge_cudaStreamSynchronize(stream));
}

Result RECONVERGE_CUDA(cuStreamQuery)(cudaStream_t stream) { return driver(reconverge_cudaStreamQuery(stream)); }

Result RECONVERGE_CUDA(cuStreamWaitEvent)(cudaStream_t stream, cudaEvent_t event, unsigned flags) {
  return driver(reconverge_cudaStreamWaitEvent(stream, event, flags));
}

Result RECONVERGE_CUDA(cuEventQuery)(cudaEvent_t event) { return driver(reconverge_cudaEventQuery(event)); }

Result RECONVERGE_CUDA(cuStreamDestroy_v2)(cudaStream_t stream) { return driver(reconverge_cudaStreamDestroy(stream)); }

Result RECONVERGE_CUDA(cuEventCreate)(cudaEvent_t* event, unsigned flags) {
  return driver(reconverge_cudaEventCreateWithFlags(event, flags));
}

Result RECONVERGE_CUDA(cuEventRecord)(cudaEvent_t event, cudaStream_t stream) {
  return driver(reconverge_cudaEventRecord(event, stream));
}

Result RECONVERGE_CUDA(cuEventSynchronize)(cudaEvent_t event) { return driver(reconverge_cudaEventSynchronize(event)); }

Result RECONVERGE_CUDA(cuEventElapsedTime)(float* milliseconds, cudaEvent_t from, cudaEvent_t to) {
  return driver(reconverge_cudaEventElapsedTime(milliseconds, from, to));
}

Result RECONVERGE_CUDA(cuEventDestroy_v2)(cudaEvent_t event) { return driver(reconverge_cudaEventDestroy(event)); }

}  // extern "C"

}  // namespace reconverge::cuda
