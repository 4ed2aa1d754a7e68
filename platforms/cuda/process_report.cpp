// SPDX-License-Identifier: Apache-2.0
#include "platforms/cuda/process_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <boost/json/array.hpp>
#include <cstdio>
#include <utility>

#include "models/core/digest.hpp"
#include "platforms/cuda/program_name.hpp"
#include "platforms/report/documents.hpp"

namespace reconverge::cuda {

namespace json = boost::json;

void CudaOutcome::add_subject(json::object& document, const MachineKind& machine) const {
  LaunchOutcome::add_subject(document, machine);
  json::array arguments;
  for (const std::string& argument : program_arguments()) arguments.emplace_back(argument);
  document["program"] = {{"name", program_path().filename().string()},
                         {"arguments", std::move(arguments)},
                         {"simulated_seconds", device_.now()}};
}

std::vector<report::OutputFile> CudaOutcome::files() const {
  std::vector<report::OutputFile> files = LaunchOutcome::files();
  for (const Module& module : modules_.all()) {
    if (!module.ptx().empty()) files.push_back({module.name(), module.ptx()});
  }
  return files;
}

std::vector<std::string> file_names(const Modules& modules) {
  std::vector<std::string> names = report::file_names();
  for (const Module& module : modules.all()) names.insert(names.end() - 1, module.name());
  return names;
}

std::string write_report(const Settings& settings, const Device& device, const Modules& modules,
                         report::OutputFolder& folder) {
  const ConfiguredPlatform& platform = device.platform();
  const CudaOutcome outcome(device, modules);
  const report::RunReport report(
      outcome, platform.plugins.kinds(),
      report::place_of(settings.platform, {settings.source_roots.begin(), settings.source_roots.end()}));
  report::Provenance provenance =
      report::provenance(settings.platform, settings.overrides, platform.configuration, settings.plugins);
  const std::filesystem::path program = program_path();
  provenance.program = program_arguments();
  provenance.program.insert(provenance.program.begin(), program.filename().string());
  provenance.inputs.push_back({program.filename().string(), sha256_of_file(program)});
  std::vector<report::OutputFile> files = report::documents(report, platform.configuration, provenance, folder.path());
  folder.write(files);
  for (const std::string& warning : report.warnings()) fmt::print(stderr, "reconverge: warning: {}\n", warning);
  if (!settings.quiet)
    fmt::print(stderr, "\n{}\nReport in {}\n", report::table(report), folder.path().generic_string());
  return std::move(std::ranges::find(files, "report.json", &report::OutputFile::name)->bytes);
}

}  // namespace reconverge::cuda
