// SPDX-License-Identifier: Apache-2.0
// Kernels, devices and launches.

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <span>

#include "models/kernel/inspect/inspect.hpp"
#include "platforms/c_interface/handles.hpp"
#include "platforms/embedding/launch_figures.hpp"
#include "platforms/embedding/library_place.hpp"

using namespace reconverge;
using c_interface::guarded;
using c_interface::status_of;
using c_interface::text_or;

namespace {

[[gnu::constructor]] void prepare() {
  embedding::prepare_process(reinterpret_cast<const void*>(&reconverge_version), RECONVERGE_PROGRAM_FROM_LIBRARY);
}

reconverge_module* module_of(embedding::KernelSource source, reconverge_error** error) {
  return guarded<reconverge_module*>(error, nullptr, [&] { return new reconverge_module(source); });
}

/// The parameter that the next argument is for. Throws InputError if there is none, or if it has another size.
const kernel::KernelParameter& next_parameter(const reconverge_launch& launch, std::size_t bytes) {
  const kernel::Program& program = *launch.launch.program;
  if (launch.arguments == program.parameters.size()) {
    throw InputError({program.file, 0, 0}, fmt::format("kernel '{}' takes {} arguments, and one more is given",
                                                       program.name, program.parameters.size()));
  }
  const kernel::KernelParameter& parameter = program.parameters[launch.arguments];
  if (bytes == parameter.bytes) return parameter;
  throw InputError({program.file, 0, 0},
                   fmt::format("argument {} of kernel '{}' is {}, and {} bytes are given", launch.arguments + 1,
                               program.name, kernel::describe(parameter), bytes),
                   "give a value of the parameter's type");
}

void run(reconverge_launch& launch, reconverge_device& on, KeepRunning keep_running) {
  const kernel::Program& program = *launch.launch.program;
  launch.figures.clear();
  launch.printed.clear();
  if (launch.arguments != program.parameters.size()) {
    throw InputError({program.file, 0, 0}, fmt::format("kernel '{}' takes {} arguments, {} given", program.name,
                                                       program.parameters.size(), launch.arguments));
  }
  const launch::LaunchResult result = on.device.run(launch.launch, std::move(keep_running));
  launch.printed = result.printed;
  if (!result.completed) throw embedding::Interrupted(fmt::format("the launch of '{}' was stopped", program.name));
  launch.figures = embedding::figures_of(result, on.device);
}

}  // namespace

reconverge_module* reconverge_module_from_ptx(const char* text, const char* name, reconverge_error** error) {
  return module_of({text, text_or(name, ""), embedding::Language::ptx}, error);
}

reconverge_module* reconverge_module_from_cuda(const char* text, const char* name, reconverge_error** error) {
  return module_of({text, text_or(name, ""), embedding::Language::cuda}, error);
}

size_t reconverge_module_kernels(const reconverge_module* module) { return module->kernels.size(); }

const char* reconverge_module_kernel(const reconverge_module* module, size_t kernel) {
  return kernel < module->kernels.size() ? module->kernels[kernel].c_str() : nullptr;
}

const char* reconverge_module_ptx(const reconverge_module* module) { return module->text.ptx().c_str(); }

void reconverge_module_free(reconverge_module* module) { delete module; }

reconverge_device* reconverge_device_create(const char* machine, const char* platform, const char* const* settings,
                                            size_t count, reconverge_error** error) {
  return guarded<reconverge_device*>(error, nullptr, [&] {
    const embedding::DeviceSettings wanted{text_or(machine, "functional"), text_or(platform, "gtx780"),
                                           std::vector<std::string>(settings, settings + count)};
    return new reconverge_device{embedding::Device(wanted)};
  });
}

void reconverge_device_free(reconverge_device* device) { delete device; }

uint64_t reconverge_device_allocate(reconverge_device* device, const char* name, uint64_t bytes,
                                    reconverge_error** error) {
  return guarded<std::uint64_t>(error, 0, [&] { return device->device.allocate(text_or(name, "buffer"), bytes); });
}

reconverge_status reconverge_device_release(reconverge_device* device, uint64_t address, reconverge_error** error) {
  return status_of(error, [&] { device->device.release(address); });
}

uint64_t reconverge_device_variable(reconverge_device* device, const reconverge_module* module, const char* name,
                                    uint64_t* bytes, reconverge_error** error) {
  return guarded<std::uint64_t>(error, 0, [&] {
    const DeviceAddress address = device->device.variable(module->text.variables(), name);
    if (bytes != nullptr) *bytes = device->device.bytes_at(address);
    return address;
  });
}

reconverge_status reconverge_device_write(reconverge_device* device, uint64_t address, const void* from, size_t bytes,
                                          reconverge_error** error) {
  return status_of(error, [&] {
    const std::span<std::byte> place = device->device.memory(address, bytes);
    std::ranges::copy_n(static_cast<const std::byte*>(from), static_cast<std::ptrdiff_t>(bytes), place.begin());
  });
}

reconverge_status reconverge_device_read(reconverge_device* device, void* to, uint64_t address, size_t bytes,
                                         reconverge_error** error) {
  return status_of(error,
                   [&] { std::ranges::copy(device->device.memory(address, bytes), static_cast<std::byte*>(to)); });
}

reconverge_launch* reconverge_launch_create(const reconverge_module* module, const char* kernel,
                                            reconverge_error** error) {
  return guarded<reconverge_launch*>(error, nullptr, [&] {
    embedding::DeviceLaunch launch;
    launch.program = module->text.load(text_or(kernel, ""));
    launch.parameters.resize(launch.program->parameter_bytes);
    return new reconverge_launch{std::move(launch), 0, {}, {}};
  });
}

void reconverge_launch_free(reconverge_launch* launch) { delete launch; }

void reconverge_launch_set_grid(reconverge_launch* launch, uint32_t x, uint32_t y, uint32_t z) {
  launch->launch.grid = {x, y, z};
}

void reconverge_launch_set_block(reconverge_launch* launch, uint32_t x, uint32_t y, uint32_t z) {
  launch->launch.block = {x, y, z};
}

void reconverge_launch_set_dynamic_shared(reconverge_launch* launch, uint32_t bytes) {
  launch->launch.dynamic_shared_bytes = bytes;
}

void reconverge_launch_set_cooperative(reconverge_launch* launch, int cooperative) {
  launch->launch.cooperative = cooperative != 0;
}

reconverge_status reconverge_launch_add_argument(reconverge_launch* launch, const void* value, size_t bytes,
                                                 reconverge_error** error) {
  return status_of(error, [&] {
    const kernel::KernelParameter& parameter = next_parameter(*launch, bytes);
    std::memcpy(launch->launch.parameters.data() + parameter.offset, value, bytes);
    ++launch->arguments;
  });
}

void reconverge_launch_clear_arguments(reconverge_launch* launch) { launch->arguments = 0; }

reconverge_status reconverge_launch_run(reconverge_launch* launch, reconverge_device* device,
                                        reconverge_progress_function progress, void* data, reconverge_error** error) {
  return status_of(error, [&] { run(*launch, *device, c_interface::keep_running(progress, data)); });
}

size_t reconverge_launch_figures(const reconverge_launch* launch) { return launch->figures.size(); }

const char* reconverge_launch_figure_name(const reconverge_launch* launch, size_t figure) {
  return figure < launch->figures.size() ? launch->figures[figure].name.c_str() : nullptr;
}

int reconverge_launch_figure(const reconverge_launch* launch, const char* name, double* value) {
  const auto found = std::ranges::find(launch->figures, name, &Figure::name);
  if (found == launch->figures.end()) return 0;
  *value = found->value;
  return 1;
}

const char* reconverge_launch_printed(const reconverge_launch* launch) { return launch->printed.c_str(); }
