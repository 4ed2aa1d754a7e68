// SPDX-License-Identifier: Apache-2.0
#include "testbenches/device/driver_api.hpp"

#include <dlfcn.h>
#include <fmt/format.h>

namespace reconverge::device {

void DriverApi::Close::operator()(void* library) const { dlclose(library); }

DriverApi::DriverApi(const std::string& library) : library_(dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL)) {
  if (!library_) throw Unavailable(fmt::format("no NVIDIA driver here ({})", dlerror()));
  const auto find = [&](auto& function, const char* name) {
    void* const symbol = dlsym(library_.get(), name);
    if (symbol == nullptr) throw Unavailable(fmt::format("{} has no {}: too old a driver", library, name));
    function = reinterpret_cast<std::remove_reference_t<decltype(function)>>(symbol);
  };
  // If a function has changed since its first version, the library exports the later version under a name with a
  // number.
  find(functions_.cuInit, "cuInit");
  find(functions_.cuDriverGetVersion, "cuDriverGetVersion");
  find(functions_.cuDeviceGetCount, "cuDeviceGetCount");
  find(functions_.cuDeviceGet, "cuDeviceGet");
  find(functions_.cuDeviceGetName, "cuDeviceGetName");
  find(functions_.cuDeviceGetAttribute, "cuDeviceGetAttribute");
  find(functions_.cuCtxCreate, "cuCtxCreate_v2");
  find(functions_.cuCtxDestroy, "cuCtxDestroy_v2");
  find(functions_.cuCtxSetLimit, "cuCtxSetLimit");
  find(functions_.cuModuleLoadDataEx, "cuModuleLoadDataEx");
  find(functions_.cuModuleUnload, "cuModuleUnload");
  find(functions_.cuModuleGetFunction, "cuModuleGetFunction");
  find(functions_.cuMemAlloc, "cuMemAlloc_v2");
  find(functions_.cuMemFree, "cuMemFree_v2");
  find(functions_.cuMemcpyHtoD, "cuMemcpyHtoD_v2");
  find(functions_.cuMemcpyDtoH, "cuMemcpyDtoH_v2");
  find(functions_.cuLaunchKernel, "cuLaunchKernel");
  find(functions_.cuStreamQuery, "cuStreamQuery");
  find(functions_.cuEventCreate, "cuEventCreate");
  find(functions_.cuEventDestroy, "cuEventDestroy_v2");
  find(functions_.cuEventRecord, "cuEventRecord");
  find(functions_.cuEventElapsedTime, "cuEventElapsedTime");
  find(functions_.cuGetErrorName, "cuGetErrorName");
  find(functions_.cuGetErrorString, "cuGetErrorString");
}

std::string DriverApi::name_of(Status status) const {
  const char* name = nullptr;
  const char* text = nullptr;
  if (functions_.cuGetErrorName(status, &name) != success || name == nullptr) return fmt::format("error {}", status);
  if (functions_.cuGetErrorString(status, &text) != success || text == nullptr) return name;
  return fmt::format("{}: {}", name, text);
}

void DriverApi::check(Status status, const std::string& call) const {
  if (status != success) throw DriverError(status, fmt::format("{}: {}", call, name_of(status)));
}

}  // namespace reconverge::device
