// SPDX-License-Identifier: Apache-2.0
// Plugins, experiments and their reports.

#include "platforms/c_interface/handles.hpp"
#include "platforms/embedding/loaded_plugins.hpp"

using namespace reconverge;
using c_interface::guarded;
using c_interface::status_of;
using embedding::EmbeddedExperiment;

reconverge_status reconverge_load_plugin(const char* file, reconverge_error** error) {
  return status_of(error, [&] { embedding::load_plugin(file); });
}

reconverge_experiment* reconverge_experiment_load(const char* file, reconverge_error** error) {
  return guarded<reconverge_experiment*>(error, nullptr, [&] {
    return new reconverge_experiment{EmbeddedExperiment(std::string(file)), {}};
  });
}

reconverge_experiment* reconverge_experiment_parse(const char* yaml, const char* name, reconverge_error** error) {
  return guarded<reconverge_experiment*>(error, nullptr, [&] {
    return new reconverge_experiment{EmbeddedExperiment(std::string(yaml), name), {}};
  });
}

void reconverge_experiment_free(reconverge_experiment* experiment) { delete experiment; }

reconverge_status reconverge_experiment_set(reconverge_experiment* experiment, const char* path, const char* value,
                                            reconverge_error** error) {
  return status_of(error, [&] { experiment->experiment.set(path, value); });
}

const char* reconverge_experiment_get(reconverge_experiment* experiment, const char* path, reconverge_error** error) {
  return guarded<const char*>(error, nullptr, [&] {
    experiment->text = experiment->experiment.get(path);
    return experiment->text.c_str();
  });
}

const char* reconverge_experiment_validate(reconverge_experiment* experiment, reconverge_error** error) {
  return guarded<const char*>(error, nullptr, [&] {
    experiment->text = experiment->experiment.validate().json;
    return experiment->text.c_str();
  });
}

reconverge_report* reconverge_experiment_run(reconverge_experiment* experiment, const char* folder,
                                             reconverge_progress_function progress, void* data,
                                             reconverge_error** error) {
  return guarded<reconverge_report*>(error, nullptr, [&] {
    embedding::ExperimentRun run;
    run.folder = c_interface::text_or(folder, "");
    run.keep_running = c_interface::keep_running(progress, data);
    return new reconverge_report{experiment->experiment.run(run)};
  });
}

const char* reconverge_report_json(const reconverge_report* report) { return report->report.json.c_str(); }

const char* reconverge_report_table(const reconverge_report* report) { return report->report.table.c_str(); }

const char* reconverge_report_printed(const reconverge_report* report) { return report->report.printed.c_str(); }

int reconverge_report_partial(const reconverge_report* report) { return report->report.partial ? 1 : 0; }

int reconverge_report_passed(const reconverge_report* report) { return report->report.passed ? 1 : 0; }

size_t reconverge_report_outputs(const reconverge_report* report) { return report->report.outputs.size(); }

const char* reconverge_report_output_name(const reconverge_report* report, size_t output) {
  const auto& outputs = report->report.outputs;
  return output < outputs.size() ? outputs[output].name.c_str() : nullptr;
}

const void* reconverge_report_output(const reconverge_report* report, size_t output, size_t* size) {
  const auto& outputs = report->report.outputs;
  if (size != nullptr) *size = output < outputs.size() ? outputs[output].bytes.size() : 0;
  return output < outputs.size() ? outputs[output].bytes.data() : nullptr;
}

void reconverge_report_free(reconverge_report* report) { delete report; }
