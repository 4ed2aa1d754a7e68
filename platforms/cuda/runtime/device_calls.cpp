// SPDX-License-Identifier: Apache-2.0
// The device: there is one, with the number 0.

#include <cstring>

#include "platforms/cuda/places.hpp"
#include "platforms/cuda/properties.hpp"
#include "platforms/cuda/runtime/api.hpp"

namespace reconverge::cuda {

namespace {

// The version of the CUDA runtime with which our headers are compatible.
constexpr int version = 11080;

void check_device(int device) { require(device == 0, cudaErrorInvalidDevice); }

template <typename Properties>
cudaError_t tell_properties(Properties* properties, int device, Properties (*convert)(const cudaDeviceProp&)) {
  return call([&](Process& state) {
    require(properties != nullptr);
    check_device(device);
    *properties = convert(properties_of(state.device()));
  });
}

}  // namespace

extern "C" {

cudaError_t RECONVERGE_CUDA(cudaGetDeviceCount)(int* count) {
  return call([&](Process&) {
    require(count != nullptr);
    *count = 1;
  });
}

cudaError_t RECONVERGE_CUDA(cudaGetDevice)(int* device) {
  return call([&](Process&) {
    require(device != nullptr);
    *device = 0;
  });
}

cudaError_t RECONVERGE_CUDA(cudaSetDevice)(int device) {
  return call([&](Process&) { check_device(device); });
}

cudaError_t RECONVERGE_CUDA(cudaInitDevice)(int device, unsigned /*flags*/, unsigned /*more_flags*/) {
  return call([&](Process&) { check_device(device); });
}

cudaError_t RECONVERGE_CUDA(cudaSetValidDevices)(int* devices, int count) {
  return call([&](Process&) {
    for (int i = 0; i < count; ++i) check_device(devices[i]);
  });
}

cudaError_t RECONVERGE_CUDA(cudaChooseDevice)(int* device, const void* /*properties*/) {
  return RECONVERGE_CUDA(cudaGetDevice)(device);
}

/// The way in which the host waits for a device has no effect here.
cudaError_t RECONVERGE_CUDA(cudaSetDeviceFlags)(unsigned flags) {
  return call([&](Process&) { require((flags & ~static_cast<unsigned>(cudaDeviceMask)) == 0); });
}

cudaError_t RECONVERGE_CUDA(cudaGetDeviceFlags)(unsigned* flags) {
  return call([&](Process&) {
    require(flags != nullptr);
    *flags = cudaDeviceMapHost;
  });
}

cudaError_t RECONVERGE_CUDA(cudaGetDeviceProperties)(cudaDeviceProp* properties, int device) {
  return tell_properties<cudaDeviceProp>(properties, device, [](const cudaDeviceProp& of) { return of; });
}

cudaError_t RECONVERGE_CUDA(cudaGetDeviceProperties_v2)(DeviceProperties12* properties, int device) {
  return tell_properties<DeviceProperties12>(properties, device,
                                             [](const cudaDeviceProp& of) { return DeviceProperties12{of}; });
}

cudaError_t RECONVERGE_CUDA_FROM_13(cudaGetDeviceProperties)(DeviceProperties13* properties, int device) {
  return tell_properties<DeviceProperties13>(properties, device, as_of_13);
}

cudaError_t RECONVERGE_CUDA(cudaDeviceGetAttribute)(int* value, cudaDeviceAttr attribute, int device) {
  return call([&](Process& state) {
    require(value != nullptr);
    check_device(device);
    *value = attribute_of(state.device(), attribute);
  });
}

cudaError_t RECONVERGE_CUDA(cudaDeviceGetPCIBusId)(char* text, int length, int device) {
  return call([&](Process&) {
    constexpr const char* bus = "0000:00:00.0";
    check_device(device);
    require(text != nullptr && length > static_cast<int>(std::strlen(bus)));
    std::strcpy(text, bus);
  });
}

cudaError_t RECONVERGE_CUDA(cudaDeviceSynchronize)() {
  return call([](Process& state) { state.device(); });
}

cudaError_t RECONVERGE_CUDA(cudaThreadSynchronize)() { return RECONVERGE_CUDA(cudaDeviceSynchronize)(); }

cudaError_t RECONVERGE_CUDA(cudaDeviceReset)() {
  return call([](Process& state) {
    if (!state.has_device()) return;
    state.device().reset();
    state.place_managed_variables();
  });
}

cudaError_t RECONVERGE_CUDA(cudaThreadExit)() { return RECONVERGE_CUDA(cudaDeviceReset)(); }

cudaError_t RECONVERGE_CUDA(cudaDriverGetVersion)(int* number) {
  return call([&](Process&) {
    require(number != nullptr);
    *number = 13000;
  });
}

cudaError_t RECONVERGE_CUDA(cudaRuntimeGetVersion)(int* number) {
  return call([&](Process&) {
    require(number != nullptr);
    *number = version;
  });
}

cudaError_t RECONVERGE_CUDA(cudaDeviceCanAccessPeer)(int* can, int device, int peer) {
  return call([&](Process&) {
    require(can != nullptr);
    check_device(device);
    check_device(peer);
    *can = 0;
  });
}

/// The platform determines how its caches are divided.
cudaError_t RECONVERGE_CUDA(cudaDeviceSetCacheConfig)(cudaFuncCache /*preferred*/) {
  return call([](Process&) {});
}

cudaError_t RECONVERGE_CUDA(cudaDeviceGetCacheConfig)(cudaFuncCache* preferred) {
  return call([&](Process&) {
    require(preferred != nullptr);
    *preferred = cudaFuncCachePreferNone;
  });
}

cudaError_t RECONVERGE_CUDA(cudaDeviceSetSharedMemConfig)(cudaSharedMemConfig /*width*/) {
  return call([](Process&) {});
}

cudaError_t RECONVERGE_CUDA(cudaDeviceGetSharedMemConfig)(cudaSharedMemConfig* width) {
  return call([&](Process&) {
    require(width != nullptr);
    *width = cudaSharedMemBankSizeFourByte;
  });
}

cudaError_t RECONVERGE_CUDA(cudaDeviceGetLimit)(std::size_t* value, cudaLimit limit) {
  return call([&](Process& state) {
    require(value != nullptr);
    switch (limit) {
      case cudaLimitStackSize:
        *value = state.device().stack_bytes;
        return;
      case cudaLimitMallocHeapSize:
        *value = Device::heap_bytes;
        return;
      case cudaLimitPrintfFifoSize:
        *value = std::size_t{1} << 20U;
        return;
      default:
        throw Refusal{cudaErrorUnsupportedLimit};
    }
  });
}

cudaError_t RECONVERGE_CUDA(cudaDeviceSetLimit)(cudaLimit limit, std::size_t value) {
  return call([&](Process& state) {
    switch (limit) {
      case cudaLimitStackSize:
        state.device().stack_bytes = static_cast<std::uint32_t>(value);
        return;
      case cudaLimitMallocHeapSize:
        require(value <= Device::heap_bytes, cudaErrorMemoryAllocation);
        return;
      case cudaLimitPrintfFifoSize:  // texts are never dropped
        return;
      default:
        throw Refusal{cudaErrorUnsupportedLimit};
    }
  });
}

/// Profiles are options of `reconverge exec`.
cudaError_t RECONVERGE_CUDA(cudaProfilerStart)() {
  return call([](Process&) {});
}

cudaError_t RECONVERGE_CUDA(cudaProfilerStop)() {
  return call([](Process&) {});
}

/// Managed memory has one location, so hints about its location have no effect.
cudaError_t RECONVERGE_CUDA(cudaMemPrefetchAsync)(const void* address, std::size_t bytes, int device,
                                                  cudaStream_t /*stream*/) {
  return call([&](Process& state) {
    require(device == 0 || device == cudaCpuDeviceId, cudaErrorInvalidDevice);
    const Allocation* const how = state.device().allocation_at(address_of(address));
    require(how != nullptr && *how == Allocation::managed);
    device_place(state.device(), address, bytes);
  });
}

struct MemoryLocation13 {
  int type = 0;
  int id = 0;
};

cudaError_t RECONVERGE_CUDA_FROM_13(cudaMemPrefetchAsync)(const void* address, std::size_t bytes,
                                                          MemoryLocation13 /*where*/, unsigned /*flags*/,
                                                          cudaStream_t stream) {
  return RECONVERGE_CUDA(cudaMemPrefetchAsync)(address, bytes, 0, stream);
}

cudaError_t RECONVERGE_CUDA(cudaMemAdvise)(const void* address, std::size_t bytes, cudaMemoryAdvise /*advice*/,
                                           int device) {
  return RECONVERGE_CUDA(cudaMemPrefetchAsync)(address, bytes, device, nullptr);
}

cudaError_t RECONVERGE_CUDA_FROM_13(cudaMemAdvise)(const void* address, std::size_t bytes, cudaMemoryAdvise /*advice*/,
                                                   MemoryLocation13 /*where*/) {
  return RECONVERGE_CUDA(cudaMemPrefetchAsync)(address, bytes, 0, nullptr);
}

}  // extern "C"

}  // namespace reconverge::cuda
