// SPDX-License-Identifier: Apache-2.0
// Experiments and their reports.

#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <string>
#include <utility>

#include "platforms/configuration/configuration.hpp"
#include "platforms/embedding/embedded_experiment.hpp"
#include "platforms/embedding/experiment_sweep.hpp"
#include "platforms/embedding/kernel_source.hpp"
#include "platforms/python/bindings.hpp"
#include "platforms/python/host_watch.hpp"

namespace reconverge::python {

namespace {

using embedding::EmbeddedExperiment;
using embedding::ExperimentReport;

/// Where the files of a report go.
struct ReportFolder {
  std::string path;
  bool force = false;
};

ExperimentReport run(const EmbeddedExperiment& experiment, const ReportFolder& folder, unsigned threads,
                     Cycle most_cycles, const py::object& progress) {
  HostWatch watch(progress);
  embedding::ExperimentRun wanted{folder.path, folder.force, threads, most_cycles, watch.keep_running()};
  ExperimentReport report;
  {
    const py::gil_scoped_release unlocked;
    report = experiment.run(wanted);
  }
  watch.rethrow();
  return report;
}

std::vector<ExperimentReport> run_sweep(const std::vector<const EmbeddedExperiment*>& experiments, std::size_t jobs,
                                        unsigned threads, Cycle most_cycles, const py::object& progress) {
  HostWatch watch(progress);
  const embedding::SweepRuns wanted{jobs, {"", false, threads, most_cycles, watch.keep_running()}, watch.interrupted()};
  std::vector<ExperimentReport> reports;
  try {
    const py::gil_scoped_release unlocked;
    reports = embedding::run_sweep(experiments, wanted);
  } catch (const embedding::Interrupted&) {
    watch.rethrow();
  }
  return reports;
}

/// Path, value, origin and source of each parameter.
py::list parameters_of(const EmbeddedExperiment& experiment) {
  py::list list;
  for (const configuration::Entry& entry : experiment.parameters())
    list.append(py::make_tuple(entry.path, entry.value, configuration::to_string(entry.origin), entry.source));
  return list;
}

py::dict outputs_of(const ExperimentReport& report) {
  py::dict outputs;
  for (const report::OutputFile& file : report.outputs) outputs[py::str(file.name)] = py::bytes(file.bytes);
  return outputs;
}

}  // namespace

void bind_experiments(py::module_& module) {
  py::class_<ReportFolder>(module, "ReportFolder", "A folder for the files of a report.")
      .def(py::init<std::string, bool>(), py::arg("path") = "", py::arg("force") = false);
  py::class_<ExperimentReport>(module, "ExperimentReport", "What a run leaves.")
      .def_readonly("json", &ExperimentReport::json)
      .def_readonly("table", &ExperimentReport::table)
      .def_readonly("printed", &ExperimentReport::printed)
      .def_readonly("partial", &ExperimentReport::partial)
      .def_readonly("passed", &ExperimentReport::passed)
      .def_readonly("warnings", &ExperimentReport::warnings)
      .def_property_readonly("outputs", &outputs_of);
  py::class_<EmbeddedExperiment>(module, "Experiment", "An experiment that can be changed and run.")
      .def_static(
          "load", [](std::string file) { return EmbeddedExperiment(std::move(file)); }, py::arg("file"))
      .def_static(
          "parse",
          [](std::string yaml, std::string name) { return EmbeddedExperiment(std::move(yaml), std::move(name)); },
          py::arg("yaml"), py::arg("name"))
      .def_property_readonly("name", &EmbeddedExperiment::name)
      .def("set", &EmbeddedExperiment::set, py::arg("path"), py::arg("value"))
      .def("get", &EmbeddedExperiment::get, py::arg("path"))
      .def_property_readonly("parameters", &parameters_of)
      .def("copy", [](const EmbeddedExperiment& experiment) { return experiment; })
      .def("dump", &EmbeddedExperiment::dump)
      .def("validate",
           [](const EmbeddedExperiment& experiment) {
             embedding::Validation validation;
             {
               const py::gil_scoped_release unlocked;
               validation = experiment.validate();
             }
             return py::make_tuple(validation.json, validation.warnings);
           })
      .def("run", &run, py::arg("folder"), py::arg("threads"), py::arg("most_cycles"), py::arg("progress"));
  module.def("run_sweep", &run_sweep, py::arg("experiments"), py::arg("jobs"), py::arg("threads"),
             py::arg("most_cycles"), py::arg("progress"));
}

}  // namespace reconverge::python
