// SPDX-License-Identifier: Apache-2.0
// Modules, kernels, devices and launches.

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "models/core/error.hpp"
#include "models/kernel/inspect/inspect.hpp"
#include "platforms/embedding/device.hpp"
#include "platforms/embedding/kernel_source.hpp"
#include "platforms/embedding/launch_figures.hpp"
#include "platforms/python/arguments.hpp"
#include "platforms/python/bindings.hpp"
#include "platforms/python/host_watch.hpp"

namespace reconverge::python {

namespace {

using embedding::Device;
using embedding::KernelText;
using Program = kernel::Program;

/// The last owner may be Python's collector, on any thread, and a run of another thread may need Python's lock before
/// the device can be destroyed.
void destroy_without_lock(const Device* device) {
  const py::gil_scoped_release unlocked;
  delete device;
}

std::shared_ptr<Device> make_device(const std::string& machine, const std::string& platform,
                                    const std::vector<std::string>& settings, unsigned threads) {
  Device* device = nullptr;
  {
    const py::gil_scoped_release unlocked;
    device = new Device({machine, platform, settings, threads});
  }
  return {device, &destroy_without_lock};
}

std::unique_ptr<KernelText> make_module(const embedding::KernelSource& source) {
  HostWatch watch{py::none()};
  const auto interrupted = watch.interrupted();
  std::unique_ptr<KernelText> module;
  try {
    const py::gil_scoped_release unlocked;
    module = std::make_unique<KernelText>(source, interrupted);
  } catch (const embedding::Interrupted&) {
    watch.rethrow();
    throw;
  }
  return module;
}

/// A kernel, with the name of its parameters.
struct LoadedKernel {
  std::shared_ptr<const Program> program;
};

struct LaunchShape {
  std::array<std::uint32_t, 3> grid{};
  std::array<std::uint32_t, 3> block{};
  std::uint32_t dynamic_shared_bytes = 0;
  bool cooperative = false;
};

Dim3 extent(const std::array<std::uint32_t, 3>& sizes) { return {sizes[0], sizes[1], sizes[2]}; }

/// Returns figures by name, the counters as JSON, and what the kernel printed.
py::tuple launch(const std::shared_ptr<Device>& device, const LoadedKernel& kernel, const LaunchShape& shape,
                 const py::tuple& values, const py::object& progress) {
  const Program& program = *kernel.program;
  Arguments arguments(device, program, values);
  const embedding::DeviceLaunch wanted{kernel.program,      extent(shape.grid),
                                       extent(shape.block), shape.dynamic_shared_bytes,
                                       shape.cooperative,   arguments.parameters()};
  HostWatch watch(progress);
  launch::LaunchResult result;
  {
    const py::gil_scoped_release unlocked;
    result = device->run(wanted, watch.keep_running());
  }
  watch.rethrow();
  if (!result.completed) {
    throw embedding::Interrupted(program.name +
                                 ": its progress function has stopped the launch, and arrays are unchanged");
  }
  arguments.copy_back();
  py::dict figures;
  for (const Figure& figure : embedding::figures_of(result, *device)) figures[py::str(figure.name)] = figure.value;
  return py::make_tuple(figures, embedding::counters_json(result), result.printed);
}

py::list parameters_of(const LoadedKernel& kernel) {
  py::list list;
  for (const kernel::KernelParameter& parameter : kernel.program->parameters) {
    list.append(py::make_tuple(parameter.name, std::string(kernel::name_of(parameter.type)), parameter.bytes));
  }
  return list;
}

void bind_modules(py::module_& module) {
  py::class_<KernelText>(module, "Module", "A module of PTX, given or compiled from CUDA C++.")
      .def(py::init([](std::string text, std::string name, const std::string& language, std::string level,
                       const std::pair<std::vector<std::string>, std::vector<std::string>>& include_and_define) {
             return make_module({std::move(text), std::move(name), embedding::language_of(language), std::move(level),
                                 include_and_define.first, include_and_define.second});
           }),
           py::arg("text"), py::arg("name") = "", py::arg("language") = "automatic", py::arg("level") = "2",
           py::arg("include_and_define") = py::make_tuple(py::list(), py::list()))
      .def_property_readonly("name", &KernelText::name)
      .def_property_readonly("ptx", &KernelText::ptx)
      .def_property_readonly("kernels", &KernelText::kernels)
      .def("load", [](const KernelText& text, const std::string& kernel) { return LoadedKernel{text.load(kernel)}; });
  py::class_<LoadedKernel>(module, "LoadedKernel", "A decoded kernel.")
      .def_property_readonly("name", [](const LoadedKernel& kernel) { return kernel.program->name; })
      .def_property_readonly("parameters", &parameters_of)
      .def_property_readonly("registers", [](const LoadedKernel& kernel) { return kernel.program->registers; })
      .def_property_readonly("shared_bytes", [](const LoadedKernel& kernel) { return kernel.program->shared_bytes; })
      .def_property_readonly("warnings", [](const LoadedKernel& kernel) {
        std::vector<std::string> texts;
        for (const kernel::Warning& warning : kernel.program->warnings)
          texts.push_back(kernel::to_string(*kernel.program, warning));
        return texts;
      });
}

/// Copies between a buffer of the device and contiguous bytes of the same size.
void write(DeviceBuffer& buffer, const py::array& from) {
  if (static_cast<std::uint64_t>(from.nbytes()) != buffer.bytes() || (from.flags() & py::array::c_style) == 0)
    throw InputError({}, "the values do not have the size of the device's array", "give as many values of its type");
  std::memcpy(buffer.memory().data(), from.data(), buffer.bytes());
}

void read(DeviceBuffer& buffer, py::array& to) {
  if (static_cast<std::uint64_t>(to.nbytes()) != buffer.bytes() || (to.flags() & py::array::c_style) == 0)
    throw InputError({}, "the array does not have the size of the device's array", "give one of its shape and type");
  std::memcpy(to.mutable_data(), buffer.memory().data(), buffer.bytes());
}

}  // namespace

void bind_kernels(py::module_& module) {
  bind_modules(module);
  py::class_<LaunchShape>(module, "LaunchShape", "Grid, block, and what else a launch has besides its arguments.")
      .def(py::init([](std::array<std::uint32_t, 3> grid, std::array<std::uint32_t, 3> block, std::uint32_t shared,
                       bool cooperative) {
             return LaunchShape{grid, block, shared, cooperative};
           }),
           py::arg("grid"), py::arg("block"), py::arg("dynamic_shared") = 0, py::arg("cooperative") = false);
  py::class_<Device, std::shared_ptr<Device>>(module, "Device", "A machine with its memory.")
      .def(py::init(&make_device), py::arg("machine"), py::arg("platform"), py::arg("settings"), py::arg("threads"))
      .def_property_readonly("timed", &Device::timed)
      .def("launch", &launch, py::arg("kernel"), py::arg("shape"), py::arg("arguments"), py::arg("progress"))
      .def("allocate",
           [](std::shared_ptr<Device> device, const std::string& name, std::uint64_t bytes) {
             return std::make_unique<DeviceBuffer>(std::move(device), name, bytes);
           })
      .def("variable", [](std::shared_ptr<Device> device, const KernelText& text, const std::string& name) {
        return std::make_unique<DeviceBuffer>(std::move(device), text.variables(), name);
      });
  py::class_<DeviceBuffer>(module, "DeviceBuffer", "Memory on a device.")
      .def_property_readonly("address", &DeviceBuffer::address)
      .def_property_readonly("bytes", &DeviceBuffer::bytes)
      .def("write", &write)
      .def("read", &read);
}

}  // namespace reconverge::python
