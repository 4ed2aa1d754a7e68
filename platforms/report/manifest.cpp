// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <boost/json/parse.hpp>
#include <boost/json/value.hpp>
#include <map>

#include "models/core/digest.hpp"
#include "models/core/input_file.hpp"
#include "platforms/configuration/json_text.hpp"
#include "platforms/report/build_info.hpp"
#include "platforms/report/documents.hpp"
#include "platforms/report/format/report_format.hpp"
#include "platforms/report/own_files.hpp"
#include "platforms/report/report_place.hpp"
#include "scenes/scene_library.hpp"

namespace reconverge::report {

namespace {

namespace fs = std::filesystem;
namespace json = boost::json;

/// `reconverge run`, or `exec` for a CUDA program, with the options that affect the result; the output folder does not.
json::array command(const Provenance& provenance) {
  json::array words{"reconverge"};
  if (provenance.program.empty()) {
    words.emplace_back("run");
  } else {
    words.insert(words.end(), {"exec", "--platform"});
  }
  words.emplace_back(provenance.experiment);
  for (const std::string& each : provenance.overrides) {
    words.emplace_back("--set");
    words.emplace_back(each);
  }
  words.insert(words.end(), provenance.program.begin(), provenance.program.end());
  return words;
}

/// Identifies equal runs.
json::object deciding(const Provenance& provenance) {
  const BuildInfo build = build_info();
  json::array inputs;
  for (const InputFile& input : provenance.inputs) inputs.push_back({{"path", input.path}, {"sha256", input.sha256}});
  return {{"program",
           {{"name", "reconverge"},
            {"version", build.version},
            {"compiler", build.compiler},
            {"build_type", build.build_type},
            {"instruction_set", build.instruction_set}}},
          {"command", command(provenance)},
          {"inputs", std::move(inputs)}};
}

/// Empty if there is no such file.
std::string text_of(const fs::path& file) {
  std::error_code missing;
  return fs::is_regular_file(file, missing) ? read_input(file, input::report) : std::string();
}

/// An empty object if the text does not contain one.
json::object object_of(const std::string& text) {
  boost::system::error_code error;
  json::value value = json::parse(text, error);
  return !error && value.is_object() ? std::move(value.as_object()) : json::object();
}

bool passed_checks(const json::object& report) {
  const json::value* checks = report.if_contains("checks");
  return checks != nullptr && checks->is_object() &&
         std::ranges::all_of(checks->as_object(), [](const auto& check) { return check.value() == json::value(true); });
}

/// The manifest's files exist and are unchanged, so none is from another report.
bool outputs_are_there(const fs::path& folder, const std::string& manifest) {
  const auto listed = listed_files(manifest);
  return listed && std::ranges::all_of(*listed, [&](const ListedFile& file) {
           const fs::path path = folder / file.name;
           std::error_code error;  // a manifest may name anything: an inaccessible file counts as missing
           return fs::is_regular_file(path, error) && sha256_of_file(path) == file.sha256;
         });
}

/// A `path=value` of the command line. A file in it is relative to the current folder, in a report relative to the
/// experiment's folder.
std::string override_from(const ReportPlace& place, const configuration::Configuration& configuration,
                          const std::string& text) {
  const std::size_t value = text.find('=') + 1;
  const auto changes = configuration.section_changes();
  const auto change = std::ranges::find(changes, text, &configuration::SectionChange::text);
  const configuration::Entry* const entry = configuration.find(text.substr(0, value - 1));
  const bool is_path = entry != nullptr && entry->parameter->type == ParameterType::path;
  const bool names_file = is_path || !configuration::platform_file(text).empty();
  const std::string file = change != changes.end() ? change->file : names_file ? text.substr(value) : std::string();
  return file.empty() ? text : text.substr(0, value) + place.shown(file);
}

}  // namespace

std::string shown_path(const fs::path& path) {
  const fs::path normal = path.lexically_normal();
  if (normal.is_relative()) return normal.generic_string();
  std::error_code error;  // the current folder may have been removed
  const fs::path below = normal.lexically_relative(fs::current_path(error));
  const bool is_below = !error && !below.empty() && *below.begin() != "..";
  return (is_below ? below : normal).generic_string();
}

Provenance provenance(const fs::path& experiment, std::vector<std::string> overrides,
                      const configuration::Configuration& configuration, std::span<const std::string> more) {
  const ReportPlace place = place_of(experiment);
  std::map<std::string, fs::path> files;  // by their names in the manifest
  const auto add = [&](const fs::path& file) { files.emplace(place.shown(file), file); };
  add(experiment);
  for (const std::string& file : more) add(file);
  for (const configuration::Section& section : configuration.sections()) add(section.file);
  for (const configuration::Entry& entry : configuration.entries()) {
    if (entry.origin.kind == configuration::Origin::Kind::file) add(entry.origin.location.file);
    if (entry.parameter->type == ParameterType::path && !entry.value.empty()) add(entry.value);
  }
  for (const std::string& each : overrides) {
    if (const auto file = configuration::platform_file(each); !file.empty()) add(file);
  }
  for (std::string& each : overrides) each = override_from(place, configuration, each);
  Provenance result{place.shown(experiment), std::move(overrides), {}};
  for (const auto& [name, file] : files) result.inputs.push_back({name, sha256_of_file(file)});
  return result;
}

std::vector<std::string> scene_files(const WorkloadParameters& workload) {
  const auto outside = workload.outside_files ? scenes::OutsideFiles::allowed : scenes::OutsideFiles::refused;
  std::vector<std::string> files;
  for (const fs::path& file : scenes::scene_files(workload.scene, outside)) files.push_back(file.generic_string());
  return files;
}

std::string identity(const Provenance& provenance) { return configuration::pretty(deciding(provenance)); }

bool holds_report(const fs::path& folder, const Provenance& provenance) {
  const fs::path file = folder / manifest_name;
  const std::string text = text_of(file);
  const json::object manifest = object_of(text);
  const auto says = [&manifest](std::string_view key, const json::value& value) {
    const json::value* there = manifest.if_contains(key);
    return there != nullptr && *there == value;
  };
  const json::object expected = object_of(identity(provenance));  // as written in the manifest
  std::error_code error;
  const auto made = fs::last_write_time("/proc/self/exe", error);
  return says("partial", false) &&
         std::ranges::all_of(expected, [&](const auto& each) { return says(each.key(), each.value()); }) && !error &&
         made <= fs::last_write_time(file, error) && !error && outputs_are_there(folder, text) &&
         passed_checks(object_of(text_of(folder / "report.json")));
}

std::string manifest(const RunIdentity& run, const Provenance& provenance, const std::vector<OutputFile>& outputs) {
  json::object decides = deciding(provenance);
  json::array files;
  for (const OutputFile& file : outputs) {
    Sha256 hash;
    hash.add(file.bytes);
    hash.add(file.tail);
    files.push_back({{"file", file.name}, {"sha256", hash.digits()}});
  }
  json::object document{{"format", manifest_format},
                        {"schema_version", schema_version},
                        {"program", std::move(decides["program"])},
                        {"command", std::move(decides["command"])},
                        {"experiment", run.experiment},
                        {"partial", run.partial}};
  if (run.seed) document["seed"] = *run.seed;
  document["inputs"] = std::move(decides["inputs"]);
  document["outputs"] = std::move(files);
  return configuration::pretty(document);
}

}  // namespace reconverge::report
