// SPDX-License-Identifier: Apache-2.0
// Replaces libcuda.so.1 on hosts without a GPU, so that everything in the harness except the GPU is tested: the driver
// API's functions on top of the untimed machine. RECONVERGE_FAKE_DRIVER makes it fail in one of these ways:
//   no_driver   cuInit fails            no_device  there is none
//   flip        every launch leaves one bit of the last buffer wrong
//   endless     no kernel ever ends     fault      every launch fails, until the context is created again
//   crash       the driver's compiler crashes on texts with popc

#include <fmt/format.h>

#include <csignal>
#include <cstdlib>
#include <cstring>
#include <map>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>

#include "models/kernel/decode/load_program.hpp"
#include "platforms/machines/functional/functional_machine.hpp"
#include "testbenches/device/driver_api.hpp"

namespace {

using namespace reconverge;
using device::DevicePointer;
using device::Status;
using device::success;

constexpr Status invalid_value = 1;
constexpr Status no_device = 100;
constexpr Status invalid_ptx = 218;
constexpr Status not_found = 500;
constexpr Status launch_failed = 719;

bool mode_is(std::string_view mode) {
  const char* const set = std::getenv("RECONVERGE_FAKE_DRIVER");
  return set != nullptr && mode == set;
}

/// A loaded module and its memory. The untimed machine has one variable for each name, a driver has one for each
/// module. Therefore the buffers are those created since the last module was loaded, which is all that the harness
/// needs.
struct Module {
  std::map<std::string, kernel::Program> programs;  // functions: a handle is the address of one
  FunctionalMachine machine;
  std::vector<DevicePointer> allocations;

  // Buffers have different addresses from those in the run to which they are compared.
  Module() { machine.memory().allocate("not for users", 123456); }
};

struct Context {
  std::unique_ptr<Module> module;
  bool broken = false;
};
std::unique_ptr<Context> context;

std::span<std::byte> bytes_at(DevicePointer address, std::size_t bytes) {
  return context->module->machine.memory().view(address).subspan(0, bytes);
}

/// The options that a host passes with a text. Numbers are passed as pointers of that value.
struct Options {
  char* log = nullptr;
  std::uintptr_t log_bytes = 0;
  std::uintptr_t level = 0;  ///< 0 also if the host does not set it
};

Options options_of(std::span<const int> names, void** values) {
  Options result;
  for (std::size_t i = 0; i < names.size(); ++i) {
    const auto number = reinterpret_cast<std::uintptr_t>(values[i]);
    if (names[i] == device::jit_error_log) result.log = static_cast<char*>(values[i]);
    if (names[i] == device::jit_error_log_bytes) result.log_bytes = number;
    if (names[i] == device::jit_optimisation_level) result.level = number;
  }
  return result;
}

/// The arguments, read through the pointers that a launch passes.
Launch launch_of(const kernel::Program& program, Dim3 grid, Dim3 block, unsigned dynamic_shared_bytes,
                 void** parameters) {
  Launch launch;
  launch.program = &program;
  launch.grid = grid;
  launch.block = block;
  launch.dynamic_shared_bytes = dynamic_shared_bytes;
  launch.parameters.resize(program.parameter_bytes);
  for (std::size_t i = 0; i < program.parameters.size(); ++i) {
    const kernel::KernelParameter& parameter = program.parameters[i];
    std::memcpy(launch.parameters.data() + parameter.offset, parameters[i], parameter.bytes);
  }
  return launch;
}

}  // namespace

extern "C" {

Status cuInit(unsigned /*flags*/) { return mode_is("no_driver") ? no_device : success; }
Status cuDriverGetVersion(int* version) {
  *version = 12000;
  return success;
}
Status cuDeviceGetCount(int* count) {
  *count = mode_is("no_device") ? 0 : 1;
  return success;
}
Status cuDeviceGet(int* device, int ordinal) {
  *device = ordinal;
  return ordinal == 0 ? success : invalid_value;
}
Status cuDeviceGetName(char* name, int bytes, int /*device*/) {
  std::strncpy(name, "the untimed machine", static_cast<std::size_t>(bytes));
  return success;
}
Status cuDeviceGetAttribute(int* value, int attribute, int /*device*/) {
  *value = attribute == device::capability_major ? 9 : 0;
  return success;
}
Status cuCtxCreate_v2(void** handle, unsigned /*flags*/, int /*device*/) {
  context = std::make_unique<Context>();
  *handle = context.get();
  return success;
}
Status cuCtxDestroy_v2(void* handle) {
  if (handle != context.get()) return invalid_value;
  context.reset();
  return success;
}
Status cuCtxSetLimit(int limit, std::size_t /*value*/) {
  return limit == device::limit_stack_size ? success : invalid_value;
}
Status cuModuleLoadDataEx(void** module, const void* image, unsigned options, int* option, void** value) {
  const auto* const ptx = static_cast<const char*>(image);
  if (mode_is("crash") && std::strstr(ptx, "popc.") != nullptr) std::raise(SIGKILL);
  const Options given = options_of({option, options}, value);
  auto loaded = std::make_unique<Module>();
  try {
    if (given.level > 0 && std::strstr(ptx, ", debug") != nullptr)
      throw std::invalid_argument("Optimized debugging not supported");
    for (const std::string& name : kernel::entries_of_text(ptx, "module")) {
      loaded->programs.emplace(name, kernel::load_program_text(ptx, "module", name));
    }
  } catch (const std::exception& error) {
    if (given.log != nullptr && given.log_bytes != 0) std::strncpy(given.log, error.what(), given.log_bytes - 1);
    return invalid_ptx;
  }
  context->module = std::move(loaded);
  *module = context->module.get();
  return success;
}
Status cuModuleUnload(void* /*module*/) { return success; }
Status cuModuleGetFunction(void** function, void* module, const char* name) {
  auto& programs = static_cast<Module*>(module)->programs;
  const auto found = programs.find(name);
  if (found == programs.end()) return not_found;
  *function = &found->second;
  return success;
}
Status cuMemAlloc_v2(DevicePointer* address, std::size_t bytes) {
  if (bytes == 0) return invalid_value;
  *address = context->module->machine.memory().allocate("buffer", bytes);
  context->module->allocations.push_back(*address);
  return success;
}
Status cuMemFree_v2(DevicePointer /*address*/) { return success; }
Status cuMemcpyHtoD_v2(DevicePointer to, const void* from, std::size_t bytes) {
  std::memcpy(bytes_at(to, bytes).data(), from, bytes);
  return success;
}
Status cuMemcpyDtoH_v2(void* to, DevicePointer from, std::size_t bytes) {
  if (context->broken) return launch_failed;
  std::memcpy(to, bytes_at(from, bytes).data(), bytes);
  return success;
}
Status cuLaunchKernel(void* function, unsigned grid_x, unsigned grid_y, unsigned grid_z, unsigned block_x,
                      unsigned block_y, unsigned block_z, unsigned dynamic_shared_bytes, void* /*stream*/,
                      void** parameters, void** /*extra*/) {
  try {
    context->module->machine.run(launch_of(*static_cast<const kernel::Program*>(function), {grid_x, grid_y, grid_z},
                                           {block_x, block_y, block_z}, dynamic_shared_bytes, parameters));
  } catch (const std::exception&) {
    context->broken = true;  // reported when the host next asks, as for a faulty kernel
  }
  if (mode_is("fault")) context->broken = true;
  if (mode_is("flip")) context->module->machine.memory().view(context->module->allocations.back())[2] ^= std::byte{4};
  return success;
}
Status cuStreamQuery(void* /*stream*/) {
  if (mode_is("endless")) return device::not_ready;
  return context->broken ? launch_failed : success;
}
Status cuEventCreate(void** event, unsigned /*flags*/) {
  *event = context.get();
  return success;
}
Status cuEventDestroy_v2(void* /*event*/) { return success; }
Status cuEventRecord(void* /*event*/, void* /*stream*/) { return success; }
Status cuEventElapsedTime(float* milliseconds, void* /*from*/, void* /*to*/) {
  *milliseconds = 0.5F;
  return success;
}
Status cuGetErrorName(Status status, const char** name) {
  static const std::map<Status, const char*> names = {{invalid_value, "CUDA_ERROR_INVALID_VALUE"},
                                                      {no_device, "CUDA_ERROR_NO_DEVICE"},
                                                      {invalid_ptx, "CUDA_ERROR_INVALID_PTX"},
                                                      {not_found, "CUDA_ERROR_NOT_FOUND"},
                                                      {launch_failed, "CUDA_ERROR_LAUNCH_FAILED"}};
  const auto found = names.find(status);
  if (found == names.end()) return invalid_value;
  *name = found->second;
  return success;
}
Status cuGetErrorString(Status /*status*/, const char** text) {
  *text = "says the stand-in";
  return success;
}

}  // extern "C"
