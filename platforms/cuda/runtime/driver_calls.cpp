// SPDX-License-Identifier: Apache-2.0
// The driver API: modules and launches by name. Where the runtime has the same call, this is that call; most error
// codes have the same numbers.

#include <cctype>
#include <cstring>
#include <deque>
#include <memory>

#include "models/core/error.hpp"
#include "models/core/input_file.hpp"
#include "platforms/cuda/launching.hpp"
#include "platforms/cuda/places.hpp"
#include "platforms/cuda/properties.hpp"
#include "platforms/cuda/runtime/api.hpp"

extern "C" {
cudaError_t reconverge_cudaMalloc(void** address, std::size_t bytes);
cudaError_t reconverge_cudaMallocManaged(void** address, std::size_t bytes, unsigned flags);
cudaError_t reconverge_cudaMallocHost(void** address, std::size_t bytes);
cudaError_t reconverge_cudaHostAlloc(void** address, std::size_t bytes, unsigned flags);
cudaError_t reconverge_cudaFree(void* address);
cudaError_t reconverge_cudaFreeHost(void* address);
cudaError_t reconverge_cudaMemcpy(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind);
cudaError_t reconverge_cudaMemset(void* to, int value, std::size_t bytes);
cudaError_t reconverge_cudaMemGetInfo(std::size_t* free, std::size_t* total);
cudaError_t reconverge_cudaDeviceSynchronize();
cudaError_t reconverge_cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned flags);
cudaError_t reconverge_cudaStreamSynchronize(cudaStream_t stream);
cudaError_t reconverge_cudaStreamDestroy(cudaStream_t stream);
cudaError_t reconverge_cudaEventCreateWithFlags(cudaEvent_t* event, unsigned flags);
cudaError_t reconverge_cudaEventRecord(cudaEvent_t event, cudaStream_t stream);
cudaError_t reconverge_cudaEventSynchronize(cudaEvent_t event);
cudaError_t reconverge_cudaEventElapsedTime(float* milliseconds, cudaEvent_t from, cudaEvent_t to);
cudaError_t reconverge_cudaEventDestroy(cudaEvent_t event);
const char* reconverge_cudaGetErrorString(cudaError_t code);
const char* reconverge_cudaGetErrorName(cudaError_t code);
}

namespace reconverge::cuda {

namespace {

/// A result of the driver: the numbers of CUresult.
using Result = int;

constexpr cudaError_t not_found = cudaErrorSymbolNotFound;

Result driver(cudaError_t code) {
  return code == cudaErrorInvalidConfiguration ? cudaErrorInvalidValue : static_cast<int>(code);
}

template <typename Action>
Result driver_call(Action&& action) {
  return driver(call(std::forward<Action>(action)));
}

/// There is one context. It is current in each thread that has not popped it.
int context_object = 0;
thread_local void* current = &context_object;

std::deque<DeviceName>& functions() {
  static auto& known = *std::make_unique<std::deque<DeviceName>>().release();
  return known;
}

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

void fill(Process& state, DeviceAddress to, unsigned value, std::size_t count) {
  std::byte* const bytes = device_place(state.device(), pointer_to(to), count * sizeof(value)).bytes;
  for (std::size_t i = 0; i < count; ++i) std::memcpy(bytes + i * sizeof(value), &value, sizeof(value));
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

Result RECONVERGE_CUDA(cuModuleGetFunction)(const DeviceName** function, Module* module, const char* name) {
  return driver_call([&](Process& state) {
    require(function != nullptr && module != nullptr && name != nullptr);
    DeviceName kernel{module, name};
    program_of(state, kernel, not_found);
    *function = &functions().emplace_back(std::move(kernel));
  });
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

Result RECONVERGE_CUDA(cuFuncGetAttribute)(int* value, int attribute, const DeviceName* function) {
  return driver_call([&](Process& state) {
    require(value != nullptr && function != nullptr);
    const auto program = program_of(state, *function);
    const auto& bound = program->launch_bounds.maximum_block;
    switch (attribute) {
      case 0:
        *value = bound ? static_cast<int>(kernel::threads_of(*bound)) : 1024;
        return;
      case 1:
        *value = static_cast<int>(program->shared_bytes);
        return;
      case 3:
        *value = static_cast<int>(program->local_bytes);
        return;
      case 4:
        *value = static_cast<int>(program->registers);
        return;
      default:
        throw Refusal{cudaErrorNotSupported};
    }
  });
}

Result RECONVERGE_CUDA(cuLaunchKernel)(const DeviceName* function, unsigned grid_x, unsigned grid_y, unsigned grid_z,
                                       unsigned block_x, unsigned block_y, unsigned block_z, unsigned shared,
                                       cudaStream_t /*stream*/, void** each, void** extra) {
  return driver_call([&](Process& state) {
    require(function != nullptr, cudaErrorInvalidResourceHandle);
    LaunchArguments arguments{each};
    // Pairs of a name and a value: 1, where the arguments are, and 2, how many bytes; 0 ends them.
    for (void** pair = extra; each == nullptr && pair != nullptr && *pair != nullptr; pair += 2) {
      const auto name = reinterpret_cast<std::uintptr_t>(pair[0]);
      require(name == 1 || name == 2);
      arguments.packed = name == 1 ? std::span(static_cast<const std::byte*>(pair[1]), arguments.packed.size())
                                   : std::span(arguments.packed.data(), *static_cast<const std::size_t*>(pair[1]));
    }
    launch(state, *function, {{grid_x, grid_y, grid_z}, {block_x, block_y, block_z}, shared}, arguments);
  });
}

Result RECONVERGE_CUDA(cuMemGetInfo_v2)(std::size_t* free, std::size_t* total) {
  return driver(reconverge_cudaMemGetInfo(free, total));
}

Result RECONVERGE_CUDA(cuMemAlloc_v2)(void** address, std::size_t bytes) {
  return bytes == 0 ? static_cast<int>(cudaErrorInvalidValue) : driver(reconverge_cudaMalloc(address, bytes));
}

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

Result RECONVERGE_CUDA(cuMemcpyHtoDAsync_v2)(void* to, const void* from, std::size_t bytes, cudaStream_t /*stream*/) {
  return RECONVERGE_CUDA(cuMemcpyHtoD_v2)(to, from, bytes);
}

Result RECONVERGE_CUDA(cuMemcpyDtoHAsync_v2)(void* to, const void* from, std::size_t bytes, cudaStream_t /*stream*/) {
  return RECONVERGE_CUDA(cuMemcpyDtoH_v2)(to, from, bytes);
}

Result RECONVERGE_CUDA(cuMemsetD8_v2)(void* to, unsigned char value, std::size_t count) {
  return driver(reconverge_cudaMemset(to, value, count));
}

Result RECONVERGE_CUDA(cuMemsetD32_v2)(DeviceAddress to, unsigned value, std::size_t count) {
  return driver_call([&](Process& state) { fill(state, to, value, count); });
}

Result RECONVERGE_CUDA(cuStreamCreate)(cudaStream_t* stream, unsigned flags) {
  return driver(reconverge_cudaStreamCreateWithFlags(stream, flags));
}

Result RECONVERGE_CUDA(cuStreamSynchronize)(cudaStream_t stream) {
  return driver(reconverge_cudaStreamSynchronize(stream));
}

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
