// SPDX-License-Identifier: Apache-2.0
// The extension module `reconverge._reconverge`. The package `reconverge` around it is the interface for users.

#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <exception>
#include <string>

#include "models/core/error.hpp"
#include "models/core/host_error.hpp"
#include "platforms/embedding/host_failure.hpp"
#include "platforms/embedding/kernel_source.hpp"
#include "platforms/embedding/library_place.hpp"
#include "platforms/embedding/loaded_plugins.hpp"
#include "platforms/host/installation.hpp"
#include "platforms/python/bindings.hpp"
#include "platforms/python/host_watch.hpp"
#include "platforms/report/build_info.hpp"
#include "platforms/report/output_error.hpp"

// SystemC's library refers to it; nothing calls it.
extern "C" __attribute__((visibility("default"))) int sc_main(int /*argc*/, char** /*argv*/) { return 0; }

namespace reconverge::python {

namespace {

namespace py = pybind11;
using embedding::HostFailure;

const char* class_of(HostFailure::Kind kind) {
  switch (kind) {
    case HostFailure::Kind::input:
      return "InputError";
    case HostFailure::Kind::execution:
      return "ExecutionError";
    case HostFailure::Kind::output:
      return "OutputError";
    case HostFailure::Kind::interrupted:
      return "Interrupted";
    case HostFailure::Kind::internal:
      break;
  }
  return "Error";
}

/// The exception that is being handled becomes Python's.
void raise_current() {
  const HostFailure failure = embedding::failure_of_current_exception();
  const py::object type = py::module_::import("reconverge._errors").attr(class_of(failure.kind));
  const py::object error =
      type(failure.message, failure.location.file, failure.location.line, failure.location.column, failure.hint);
  PyErr_SetObject(type.ptr(), error.ptr());
}

void bind_progress(py::module_& module) {
  py::class_<Progress>(module, "Progress", "How far a run is; passed to progress functions.")
      .def_readonly("part", &Progress::part)
      .def_property_readonly("done", [](const Progress& progress) { return progress.numbers.done; })
      .def_property_readonly("all", [](const Progress& progress) { return progress.numbers.all; })
      .def_property_readonly("cycles", [](const Progress& progress) { return progress.numbers.cycles; })
      .def_property_readonly(
          "unit",
          [](const Progress& progress) { return progress.numbers.unit == RunProgress::Unit::rays ? "rays" : "blocks"; })
      .def_property_readonly("share", [](const Progress& progress) { return progress.numbers.share; });
}

}  // namespace

void bind_errors() {
  py::register_exception_translator([](std::exception_ptr pointer) {
    try {
      std::rethrow_exception(std::move(pointer));
    } catch (const InputError&) {
      raise_current();
    } catch (const ExecutionError&) {
      raise_current();
    } catch (const report::OutputError&) {
      raise_current();
    } catch (const embedding::Interrupted&) {
      raise_current();
    } catch (const HostError&) {
      raise_current();
    } catch (const embedding::ForeignFailure&) {
      raise_current();
    }
  });
}

}  // namespace reconverge::python

PYBIND11_MODULE(_reconverge, module) {
  using namespace reconverge;
  embedding::prepare_process(reinterpret_cast<const void*>(&sc_main), RECONVERGE_PROGRAM_FROM_PYTHON);
  module.doc() = "The C++ part of the package reconverge.";
  module.attr("version") = std::string(report::build_info().version);
  module.def("data_folder", [] { return data_folder().string(); });
  module.def(
      "load_plugin",
      [](const std::string& file) {
        const pybind11::gil_scoped_release unlocked;
        embedding::load_plugin(file);
      },
      pybind11::arg("file"));
  python::bind_errors();
  python::bind_progress(module);
  python::bind_kernels(module);
  python::bind_experiments(module);
}
