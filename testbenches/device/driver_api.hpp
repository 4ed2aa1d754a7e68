// SPDX-License-Identifier: Apache-2.0
#pragma once
/// The part of NVIDIA's driver API that the harness uses, with the project's own declarations: the build needs no CUDA
/// header or library. The library is loaded at run time.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>

namespace reconverge::device {

using Status = int;
inline constexpr Status success = 0;
inline constexpr Status not_ready = 600;

/// Handles: addresses of objects of the driver.
using ContextHandle = void*;
using ModuleHandle = void*;
using FunctionHandle = void*;
using StreamHandle = void*;
using EventHandle = void*;
using DevicePointer = unsigned long long;

// Values of the API's enumerations.
inline constexpr int clock_rate = 13;  ///< kHz, the highest
inline constexpr int multiprocessor_count = 16;
inline constexpr int capability_major = 75;
inline constexpr int capability_minor = 76;
inline constexpr int limit_stack_size = 0;
inline constexpr int jit_error_log = 5;
inline constexpr int jit_error_log_bytes = 6;
inline constexpr int jit_optimisation_level = 7;

/// Why there is no device to run on: no library, driver or GPU. A reason to skip, not a failure.
class Unavailable : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// A call of the driver failed.
class DriverError : public std::runtime_error {
 public:
  DriverError(Status status, const std::string& what) : std::runtime_error(what), status_(status) {}
  Status status() const { return status_; }

 private:
  Status status_;
};

/// The functions, by the names that the library exports.
struct DriverFunctions {
  Status (*cuInit)(unsigned flags);
  Status (*cuDriverGetVersion)(int* version);
  Status (*cuDeviceGetCount)(int* count);
  Status (*cuDeviceGet)(int* device, int ordinal);
  Status (*cuDeviceGetName)(char* name, int bytes, int device);
  Status (*cuDeviceGetAttribute)(int* value, int attribute, int device);
  Status (*cuCtxCreate)(ContextHandle* context, unsigned flags, int device);
  Status (*cuCtxDestroy)(ContextHandle context);
  Status (*cuCtxSetLimit)(int limit, std::size_t value);
  Status (*cuModuleLoadDataEx)(ModuleHandle* module, const void* image, unsigned options, int* option, void** value);
  Status (*cuModuleUnload)(ModuleHandle module);
  Status (*cuModuleGetFunction)(FunctionHandle* function, ModuleHandle module, const char* name);
  Status (*cuMemAlloc)(DevicePointer* address, std::size_t bytes);
  Status (*cuMemFree)(DevicePointer address);
  Status (*cuMemcpyHtoD)(DevicePointer to, const void* from, std::size_t bytes);
  Status (*cuMemcpyDtoH)(void* to, DevicePointer from, std::size_t bytes);
  Status (*cuLaunchKernel)(FunctionHandle function, unsigned grid_x, unsigned grid_y, unsigned grid_z, unsigned block_x,
                           unsigned block_y, unsigned block_z, unsigned dynamic_shared_bytes, StreamHandle stream,
                           void** parameters, void** extra);
  Status (*cuStreamQuery)(StreamHandle stream);
  Status (*cuEventCreate)(EventHandle* event, unsigned flags);
  Status (*cuEventDestroy)(EventHandle event);
  Status (*cuEventRecord)(EventHandle event, StreamHandle stream);
  Status (*cuEventElapsedTime)(float* milliseconds, EventHandle from, EventHandle to);
  Status (*cuGetErrorName)(Status status, const char** name);
  Status (*cuGetErrorString)(Status status, const char** text);
};

/// The loaded library.
class DriverApi {
 public:
  /// Loads `library`, a name or a path. Throws Unavailable if it cannot be loaded or lacks a function.
  explicit DriverApi(const std::string& library);

  const DriverFunctions* operator->() const { return &functions_; }

  /// Throws DriverError, with the call and the driver's text for `status`, unless that is success.
  void check(Status status, const std::string& call) const;
  /// `CUDA_ERROR_INVALID_PTX: a PTX JIT compilation failed`
  std::string name_of(Status status) const;

 private:
  struct Close {
    void operator()(void* library) const;
  };
  std::unique_ptr<void, Close> library_;
  DriverFunctions functions_{};
};

}  // namespace reconverge::device
