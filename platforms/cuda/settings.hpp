// SPDX-License-Identifier: Apache-2.0
#pragma once
/// The settings that `reconverge exec` passes to the runtime library in a CUDA program's process, in an environment
/// variable.

#include <string>
#include <string_view>
#include <vector>

#include "blocks/experiment.hpp"
#include "models/core/cycle.hpp"
#include "platforms/configuration/configuration.hpp"
#include "platforms/machines/machines.hpp"
#include "platforms/plugins/plugins.hpp"
#include "platforms/trace/recordings.hpp"

namespace reconverge::cuda {

struct Settings {
  std::string platform;                        ///< YAML file with `gpu:`
  std::string name;                            ///< of the program, for the report
  std::vector<std::string> overrides;          ///< path=value
  std::vector<std::string> plugins;            ///< shared libraries with schemes and machines
  std::string folder;                          ///< of the report
  std::vector<std::string> source_roots = {};  ///< folders below which a profile may read sources
  bool force = false;                          ///< also write into a folder with other files
  bool quiet = false;                          ///< no table of the report
  unsigned threads = 1;                        ///< of the host
  Cycle most_cycles = 0;                       ///< of all launches together; 0: no limit
  double most_seconds = 0;                     ///< of the host, since the first call; 0: no limit
  trace::RecordedFiles recordings;             ///< with absolute paths
};

inline constexpr const char* settings_variable = "RECONVERGE_EXEC";

/// JSON, with the version of this program.
std::string to_text(const Settings& settings);
/// Throws InputError if a program of another version wrote the text.
Settings settings_from(std::string_view text);

/// A platform on which CUDA programs run: parameters of an experiment that has no workload.
struct ConfiguredPlatform {
  ExperimentParameters parameters;
  configuration::Configuration configuration;
  Plugins plugins;

  const MachineKind& machine() const { return machine_of(parameters, plugins.kinds()); }
};

/// Throws InputError for errors in files and values, and for machines that run no CUDA program.
ConfiguredPlatform load_platform(const Settings& settings);

}  // namespace reconverge::cuda
