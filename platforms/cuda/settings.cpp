// SPDX-License-Identifier: Apache-2.0
#include "platforms/cuda/settings.hpp"

#include <fmt/format.h>

#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <boost/json/value_from.hpp>
#include <boost/json/value_to.hpp>

#include "models/core/error.hpp"
#include "platforms/launch/keys.hpp"
#include "platforms/report/build_info.hpp"

namespace reconverge::cuda {

namespace {

namespace json = boost::json;

SourceLocation place_of(const configuration::Configuration& configuration, std::string_view path) {
  const configuration::Entry* const entry = configuration.find(path);
  const bool in_file = entry != nullptr && entry->origin.kind == configuration::Origin::Kind::file;
  return in_file ? entry->origin.location : SourceLocation{};
}

json::object to_json(const trace::RecordedFiles& files) {
  const auto window = [](const CycleWindow& cycles) { return json::array{cycles.first, cycles.last}; };
  return {{"wave", files.wave},   {"wave_window", window(files.wave_window)},
          {"trace", files.trace}, {"trace_window", window(files.trace_window)},
          {"log", files.log},     {"log_window", window(files.log_window)}};
}

trace::RecordedFiles recordings_from(const json::object& object) {
  const auto text = [&](const char* key) { return json::value_to<std::string>(object.at(key)); };
  const auto window = [&](const char* key) {
    const json::array& cycles = object.at(key).as_array();
    return CycleWindow{json::value_to<Cycle>(cycles.at(0)), json::value_to<Cycle>(cycles.at(1))};
  };
  return {text("wave"),           window("wave_window"), text("trace"),
          window("trace_window"), text("log"),           window("log_window")};
}

/// A CUDA program defines its work, and only machines with warps run all of CUDA.
void check_kind(const ConfiguredPlatform& platform, const trace::RecordedFiles& recordings) {
  const configuration::Configuration& configuration = platform.configuration;
  for (const configuration::Entry& entry : configuration.entries()) {
    if (!entry.path.starts_with("workload.") || entry.origin.kind == configuration::Origin::Kind::block_default)
      continue;
    throw InputError(place_of(configuration, entry.path),
                     fmt::format("{} is given, and a CUDA program brings its own work", entry.path),
                     "give a file that has only `gpu:`, such as yaml/platforms/turing.yaml");
  }
  if (!configuration.sections().empty()) {
    const configuration::Section& section = configuration.sections().front();
    throw InputError(section.location,
                     fmt::format("{} is given, and a CUDA program launches its own kernels", section.key.name),
                     "give a file that has only `gpu:`, such as yaml/platforms/turing.yaml");
  }
  const MachineKind& machine = platform.machine();
  const ExperimentParameters& parameters = platform.parameters;
  if (machine.traits.timed && !machine.traits.sms) {
    throw InputError(place_of(configuration, "machine"),
                     fmt::format("machine: {} does not run CUDA programs", machine.name),
                     "set it to timed or functional");
  }
  const auto refuse = [&](std::string_view path, std::string_view why, std::string_view hint) {
    throw InputError(place_of(configuration, path), fmt::format("{}: {}", path, why), hint);
  };
  if (parameters.profile && !machine.traits.warps)
    refuse("profile", "instructions are profiled where warps issue them", "set machine to timed");
  if (parameters.timeline != 0 && !machine.traits.sms)
    refuse("timeline", "issue slots over time are those of a GPU with time", "set machine to timed");
  if ((!recordings.trace.empty() || !recordings.log.empty()) && !machine.traits.sms)
    refuse("machine", fmt::format("{} has no timed warps for --trace and --log", machine.name), "set it to timed");
  if (parameters.stop_after != 0) refuse("stop_after", "it is for rays", "give --max-cycles");
  if (parameters.sample.every > 1 && (!machine.traits.sms || parameters.profile || parameters.timeline != 0))
    refuse("sample.every", "a sample has neither profile nor timeline, and needs SMs", "leave it out");
}

}  // namespace

std::string to_text(const Settings& settings) {
  return json::serialize(json::object{{"version", report::build_info().version},
                                      {"platform", settings.platform},
                                      {"name", settings.name},
                                      {"overrides", json::value_from(settings.overrides)},
                                      {"plugins", json::value_from(settings.plugins)},
                                      {"folder", settings.folder},
                                      {"source_roots", json::value_from(settings.source_roots)},
                                      {"force", settings.force},
                                      {"quiet", settings.quiet},
                                      {"threads", settings.threads},
                                      {"most_cycles", settings.most_cycles},
                                      {"most_seconds", settings.most_seconds},
                                      {"recordings", to_json(settings.recordings)}});
}

Settings settings_from(std::string_view text) {
  const json::value document = json::parse({text.data(), text.size()});
  const json::object& object = document.as_object();
  const std::string_view version = report::build_info().version;
  const auto theirs = json::value_to<std::string>(object.at("version"));
  if (theirs != version) {
    throw InputError(
        {}, fmt::format("`reconverge exec` is version {}, and the CUDA library is version {}", theirs, version),
        "use both from one installation");
  }
  return {json::value_to<std::string>(object.at("platform")),
          json::value_to<std::string>(object.at("name")),
          json::value_to<std::vector<std::string>>(object.at("overrides")),
          json::value_to<std::vector<std::string>>(object.at("plugins")),
          json::value_to<std::string>(object.at("folder")),
          json::value_to<std::vector<std::string>>(object.at("source_roots")),
          object.at("force").as_bool(),
          object.at("quiet").as_bool(),
          json::value_to<unsigned>(object.at("threads")),
          json::value_to<Cycle>(object.at("most_cycles")),
          json::value_to<double>(object.at("most_seconds")),
          recordings_from(object.at("recordings").as_object())};
}

ConfiguredPlatform load_platform(const Settings& settings) {
  const Plugins plugins(settings.plugins);
  ExperimentParameters parameters;
  std::vector<std::string> overrides{"name=" + settings.name};
  overrides.insert(overrides.end(), settings.overrides.begin(), settings.overrides.end());
  configuration::Configuration configuration = configuration::load(
      with_kinds(experiment_block, plugins.kinds()), &parameters, settings.platform, overrides, launch::section_keys());
  ConfiguredPlatform platform{std::move(parameters), std::move(configuration), plugins};
  check_kind(platform, settings.recordings);
  platform.configuration = platform.configuration.without("workload");
  return platform;
}

}  // namespace reconverge::cuda
