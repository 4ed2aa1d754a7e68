#include <boost/json.hpp>
#include <set>

#include "platforms/configuration/json_text.hpp"
#include "platforms/report/build_info.hpp"
#include "platforms/report/digest.hpp"
#include "platforms/report/documents.hpp"

namespace reconverge::report {

namespace {

namespace fs = std::filesystem;
namespace json = boost::json;

/// `reconverge run` with what decides the result; where the output goes does not.
json::array command(const Provenance& provenance) {
  json::array words{"reconverge", "run", provenance.experiment};
  for (const std::string& each : provenance.overrides) {
    words.emplace_back("--set");
    words.emplace_back(each);
  }
  return words;
}

}  // namespace

std::string shown_path(const fs::path& path) {
  const fs::path normal = path.lexically_normal();
  if (normal.is_relative()) return normal.generic_string();
  const fs::path below = normal.lexically_relative(fs::current_path());
  const bool is_below = !below.empty() && *below.begin() != "..";
  return (is_below ? below : normal).generic_string();
}

Provenance provenance(const std::string& experiment, std::vector<std::string> overrides,
                      const configuration::Configuration& configuration, const ExperimentParameters& parameters) {
  std::set<std::string> files{shown_path(experiment)};
  for (const configuration::Entry& entry : configuration.entries()) {
    if (entry.origin.kind == configuration::Origin::Kind::file) files.insert(shown_path(entry.origin.location.file));
    if (entry.parameter->type == ParameterType::path && !entry.value.empty()) files.insert(shown_path(entry.value));
  }
  const fs::path scene(parameters.workload.scene);
  if (scene.has_extension() || scene.has_parent_path()) {
    files.insert(shown_path(scene));
    const fs::path cameras = scene.parent_path() / "manifest.json";
    if (fs::exists(cameras)) files.insert(shown_path(cameras));
  }
  Provenance result{shown_path(experiment), std::move(overrides), {}};
  for (const std::string& file : files) result.inputs.push_back({file, sha256_of_file(file)});
  return result;
}

std::string manifest(const RunReport& report, const Provenance& provenance, const std::vector<OutputFile>& outputs) {
  const BuildInfo build = build_info();
  json::array inputs;
  for (const InputFile& input : provenance.inputs) inputs.push_back({{"path", input.path}, {"sha256", input.sha256}});
  json::array files;
  for (const OutputFile& file : outputs) files.push_back({{"file", file.name}, {"sha256", sha256(file.bytes)}});
  const json::value document{{"format", "reconverge manifest"},
                             {"schema_version", schema_version},
                             {"program",
                              {{"name", "reconverge"},
                               {"version", build.version},
                               {"compiler", build.compiler},
                               {"build_type", build.build_type},
                               {"instruction_set", build.instruction_set}}},
                             {"command", command(provenance)},
                             {"experiment", report.parameters().name},
                             {"partial", report.partial()},
                             {"seed", report.parameters().workload.seed},
                             {"inputs", std::move(inputs)},
                             {"outputs", std::move(files)}};
  return configuration::pretty(document);
}

}  // namespace reconverge::report
