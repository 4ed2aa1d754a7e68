// SPDX-License-Identifier: Apache-2.0
// The driver API: device, context, modules.

#include <cctype>
#include <cstring>

#include "models/core/error.hpp"
#include "models/core/input_file.hpp"
#include "platforms/cuda/properties.hpp"
#include "platforms/cuda/runtime/driver.hpp"

extern "C" {
cudaError_t reconverge_cudaDeviceSynchronize();
cudaError_t reconverge_cudaDeviceGetPCIBusId(char* text, int length, int device);
cudaError_t reconverge_cudaDeviceSetCacheConfig(cudaFuncCache which);
cudaError_t reconverge_cudaDeviceGetCacheConfig(cudaFuncCache* which);
const char* reconverge_cudaGetErrorString(cudaError_t code);
const char* reconverge_cudaGetErrorName(cudaError_t code);
}

namespace reconverge::cuda {

namespace {

/// There is one context. It is current in each thread that has not popped it.
int context_object = 0;
thread_local void* current = &context_object;

/// PTX begins with its text, and fat binaries with their magic numbers.
bool is_text(const void* image) {
  const auto first = *static_cast<const unsigned char*>(image);
  return first < 0x80 && (std::isprint(first) != 0 || std::isspace(first) != 0) &&
         std::memcmp(image,
                     "\x7f"
                     "ELF",
                     4) != 0;
}

void load(Process& state, void** module, const void* image) {
  require(module != nullptr && image != nullptr);
  state.device();
  Module& added = is_text(image) ? state.modules.add_ptx(static_cast<const char*>(image)) : state.modules.add(image);
  or_else(cudaErrorInvalidPtx, [&] { added.load(); });
  *module = &added;
}

}  // namespace

extern "C" {

Result RECONVERGE_CUDA(cuInit)(unsigned flags) {
  return driver_call([&](Process& state) {
    require(flags == 0);
    state.device();
  });
}

Result RECONVERGE_CUDA(cuDriverGetVersion)(int* version) {
  return driver_call([&](Process&) {
    require(version != nullptr);
    *version = 13000;
  });
}

Result RECONVERGE_CUDA(cuGetErrorString)(Result code, const char** text) {
  *text = reconverge_cudaGetErrorString(static_cast<cudaError_t>(code));
  return cudaSuccess;
}

Result RECONVERGE_CUDA(cuGetErrorName)(Result code, const char** name) {
  *name = reconverge_cudaGetErrorName(static_cast<cudaError_t>(code));
  return cudaSuccess;
}

Result RECONVERGE_CUDA(cuDeviceGet)(int* device, int ordinal) {
  return driver_call([&](Process&) {
    require(device != nullptr && ordinal == 0, cudaErrorInvalidDevice);
    *device = 0;
  });
}

Result RECONVERGE_CUDA(cuDeviceGetCount)(int* count) {
  return driver_call([&](Process&) {
    require(count != nullptr);
    *count = 1;
  });
}

Result RECONVERGE_CUDA(cuDeviceGetName)(char* name, int length, int device) {
  return driver_call([&](Process& state) {
    require(name != nullptr && length > 0 && device == 0);
    const cudaDeviceProp properties = properties_of(state.device());
    std::strncpy(name, properties.name, static_cast<std::size_t>(length) - 1);
    name[length - 1] = '\0';
  });
}

Result RECONVERGE_CUDA(cuDeviceTotalMem_v2)(std::size_t* bytes, int device) {
  return driver_call([&](Process& state) {
    require(bytes != nullptr && device == 0);
    *bytes = state.device().memory().capacity();
  });
}

Result RECONVERGE_CUDA(cuDeviceGetAttribute)(int* value, int attribute, int device) {
  return driver_call([&](Process& state) {
    require(value != nullptr && device == 0);
    *value = attribute_of(state.device(), static_cast<cudaDeviceAttr>(attribute));
  });
}

Result RECONVERGE_CUDA(cuDeviceComputeCapability)(int* major, int* minor, int device) {
  return driver_call([&](Process& state) {
    require(major != nullptr && minor != nullptr && device == 0);
    const cudaDeviceProp properties = properties_of(state.device());
    *major = properties.major;
    *minor = properties.minor;
  });
}

Result RECONVERGE_CUDA(cuDeviceGetPCIBusId)(char* text, int length, int device) {
  return driver(reconverge_cudaDeviceGetPCIBusId(text, length, device));
}

Result RECONVERGE_CUDA(cuDevicePrimaryCtxRetain)(void** context, int device) {
  return driver_call([&](Process&) {
    require(context != nullptr && device == 0);
    *context = &context_object;
  });
}

Result RECONVERGE_CUDA(cuDevicePrimaryCtxRelease_v2)(int device) {
  return driver_call([&](Process&) { require(device == 0); });
}

Result RECONVERGE_CUDA(cuCtxCreate_v2)(void** context, unsigned /*flags*/, int device) {
  current = &context_object;
  return RECONVERGE_CUDA(cuDevicePrimaryCtxRetain)(context, device);
}

Result RECONVERGE_CUDA(cuCtxDestroy_v2)(void* context) {
  return driver_call([&](Process&) { require(context == &context_object, cudaErrorDeviceUninitialized); });
}

Result RECONVERGE_CUDA(cuCtxSetCurrent)(void* context) {
  return driver_call([&](Process&) {
    require(context == nullptr || context == &context_object, cudaErrorDeviceUninitialized);
    current = context;
  });
}

Result RECONVERGE_CUDA(cuCtxGetCurrent)(void** context) {
  return driver_call([&](Process&) {
    require(context != nullptr);
    *context = current;
  });
}

Result RECONVERGE_CUDA(cuCtxPushCurrent_v2)(void* context) { return RECONVERGE_CUDA(cuCtxSetCurrent)(context); }

Result RECONVERGE_CUDA(cuCtxPopCurrent_v2)(void** context) {
  if (context != nullptr) *context = current;
  return cudaSuccess;
}

Result RECONVERGE_CUDA(cuCtxAttach)(void** context, unsigned /*flags*/) {
  return RECONVERGE_CUDA(cuDevicePrimaryCtxRetain)(context, 0);
}

Result RECONVERGE_CUDA(cuCtxDetach)(void* context) { return RECONVERGE_CUDA(cuCtxDestroy_v2)(context); }

Result RECONVERGE_CUDA(cuCtxGetApiVersion)(void* /*context*/, unsigned* version) {
  return driver_call([&](Process&) {
    require(version != nullptr);
    *version = 3020;  // of the functions whose names end in _v2
  });
}

Result RECONVERGE_CUDA(cuCtxGetCacheConfig)(cudaFuncCache* which) {
  return driver(reconverge_cudaDeviceGetCacheConfig(which));
}

Result RECONVERGE_CUDA(cuCtxSetCacheConfig)(cudaFuncCache which) {
  return driver(reconverge_cudaDeviceSetCacheConfig(which));
}

Result RECONVERGE_CUDA(cuCtxGetDevice)(int* device) { return RECONVERGE_CUDA(cuDeviceGet)(device, 0); }

Result RECONVERGE_CUDA(cuCtxSynchronize)() { return driver(reconverge_cudaDeviceSynchronize()); }

Result RECONVERGE_CUDA(cuModuleLoadData)(void** module, const void* image) {
  return driver_call([&](Process& state) { load(state, module, image); });
}

/// Options are for the compiler of a GPU.
Result RECONVERGE_CUDA(cuModuleLoadDataEx)(void** module, const void* image, unsigned /*count*/, void* /*options*/,
                                           void** /*values*/) {
  return RECONVERGE_CUDA(cuModuleLoadData)(module, image);
}

Result RECONVERGE_CUDA(cuModuleLoadFatBinary)(void** module, const void* image) {
  return RECONVERGE_CUDA(cuModuleLoadData)(module, image);
}

Result RECONVERGE_CUDA(cuModuleLoad)(void** module, const char* file) {
  return driver_call([&](Process& state) {
    require(module != nullptr && file != nullptr);
    const std::string text = or_else(cudaErrorFileNotFound, [&] { return read_input(file, input::any); });
    require(!text.empty() && is_text(text.data()), cudaErrorNoKernelImageForDevice);
    load(state, module, text.c_str());
  });
}

/// The report still needs it.
Result RECONVERGE_CUDA(cuModuleUnload)(void* module) {
  return driver_call([&](Process&) { require(module != nullptr, cudaErrorInvalidResourceHandle); });
}

Result RECONVERGE_CUDA(cuModuleGetGlobal_v2)(DeviceAddress* address, std::size_t* bytes, Module* module,
                                             const char* name) {
  return driver_call([&](Process& state) {
    require(module != nullptr && name != nullptr);
    DeviceMemory& memory = state.device().memory();
    const DeviceAddress place = or_else(not_found, [&] { return module->variable(name, memory); });
    if (address != nullptr) *address = place;
    if (bytes != nullptr) *bytes = memory.view(place).size();
  });
}

}  // extern "C"

}  // namespace reconverge::cuda
