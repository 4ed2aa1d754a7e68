// SPDX-License-Identifier: Apache-2.0
#include "platforms/report/documents.hpp"

#include "platforms/report/divergence_plot.hpp"
#include "platforms/report/traffic.hpp"
#include "scenes/files/picture.hpp"

namespace reconverge::report {

namespace {

/// The device's words have red in the lowest byte and opacity in the highest.
std::string png_of(const RayTracingResult& result) {
  scenes::Picture picture{result.width, result.height, {}};
  picture.rgb.reserve(3 * result.rgba.size());
  for (const std::uint32_t pixel : result.rgba) {
    for (const unsigned shift : {0U, 8U, 16U}) picture.rgb.push_back(static_cast<std::uint8_t>(pixel >> shift));
  }
  const std::vector<std::uint8_t> bytes = scenes::encode_png(picture);
  return {bytes.begin(), bytes.end()};
}

}  // namespace

std::vector<std::string> file_names() {
  return {"report.json",    "report.csv", "effective.yaml",  "picture.png",  "divergence.svg",
          "divergence.csv", traffic_file, microkernels_name, "manifest.json"};
}

std::vector<OutputFile> documents(const RunReport& report, const configuration::Configuration& configuration,
                                  const Provenance& provenance, const std::filesystem::path& folder) {
  std::vector<OutputFile> files{{"report.json", json_report(report)},
                                {"report.csv", csv_report(report)},
                                {"effective.yaml", configuration::dump(configuration, folder, report.place().folder)}};
  if (!report.result().rgba.empty()) files.push_back({"picture.png", png_of(report.result())});
  if (report.parameters().timeline != 0) {
    const DivergencePlot plot = divergence_plot(report);
    files.push_back({"divergence.svg", svg_of(plot, report.parameters().name)});
    files.push_back({"divergence.csv", csv_of(plot)});
  }
  std::vector<PartedRun> parted;
  for (const Stage& stage : report.result().stages) parted.push_back({stage.name, stage.traffic});
  if (std::string dot = traffic_dot(parted); !dot.empty()) files.push_back({traffic_file, std::move(dot)});
  if (!report.result().microkernels.empty()) files.push_back({microkernels_name, report.result().microkernels});
  files.push_back(
      {"manifest.json",
       manifest({report.parameters().name, report.partial(), report.parameters().workload.seed}, provenance, files)});
  return files;
}

}  // namespace reconverge::report
