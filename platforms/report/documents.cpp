// SPDX-License-Identifier: Apache-2.0
#include "platforms/report/documents.hpp"

#include <utility>

#include "platforms/experiment/ray_tracing.hpp"
#include "platforms/report/divergence_plot.hpp"
#include "platforms/report/traffic.hpp"

namespace reconverge::report {

std::vector<std::string> file_names() {
  return {"report.json",    "report.csv", "effective.yaml",  "picture.png",  "divergence.svg",
          "divergence.csv", traffic_file, microkernels_name, "manifest.json"};
}

std::vector<OutputFile> documents(const RunReport& report, const configuration::Configuration& configuration,
                                  const Provenance& provenance, const std::filesystem::path& folder) {
  std::vector<OutputFile> files{{"report.json", json_report(report)},
                                {"report.csv", csv_report(report)},
                                {"effective.yaml", configuration::dump(configuration, folder, report.place().folder)}};
  const Outcome& outcome = report.outcome();
  if (auto picture = outcome.picture()) files.push_back(std::move(*picture));
  if (report.parameters().timeline != 0) {
    const DivergencePlot plot = divergence_plot(report);
    files.push_back({"divergence.svg", svg_of(plot, report.parameters().name)});
    files.push_back({"divergence.csv", csv_of(plot)});
  }
  std::vector<PartedRun> parted;
  for (const Part& part : report.parts()) parted.push_back({part.name, part.cost->traffic});
  if (std::string dot = traffic_dot(parted); !dot.empty()) files.push_back({traffic_file, std::move(dot)});
  for (OutputFile& file : outcome.files()) files.push_back(std::move(file));
  files.push_back(
      {"manifest.json", manifest({report.parameters().name, report.partial(), outcome.seed()}, provenance, files)});
  return files;
}

}  // namespace reconverge::report
