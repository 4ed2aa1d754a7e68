// SPDX-License-Identifier: Apache-2.0
#pragma once
/// An experiment: its file and the command line, loaded and checked.

#include <optional>
#include <string>
#include <vector>

#include "blocks/experiment.hpp"
#include "models/core/error.hpp"
#include "models/protocols/scheme_list.hpp"
#include "platforms/configuration/configuration.hpp"
#include "platforms/launch/plan.hpp"
#include "platforms/machines/machines.hpp"
#include "platforms/plugins/plugins.hpp"

namespace reconverge::cli {

/// The inputs of `run` and `validate`.
struct ExperimentFile {
  std::string file;
  std::vector<std::string> overrides;
  Plugins plugins;
  /// The experiment itself; `file` then only names it in messages, and its paths are relative to the folder of `file`.
  std::optional<std::string> text = {};
};

/// Never changes after it is loaded.
struct Experiment {
  ExperimentFile from;
  ExperimentParameters parameters;
  configuration::Configuration configuration;

  const MachineKind& machine() const { return machine_of(parameters, kinds()); }
  Kinds kinds() const { return from.plugins.kinds(); }
  /// Otherwise it traces rays.
  bool has_launches() const { return launch::has_launches(configuration); }
};

/// Loads the parameters and checks everything that needs no simulation: values, names, and that every named file
/// exists. Throws InputError.
Experiment load_experiment(const ExperimentFile& file);

struct Launches {
  launch::LaunchPlan plan;
  ExperimentParameters parameters;  ///< of the experiment, its GPU fitted to the plan (launch::fitted_gpu)
};

/// Reads the launches of an experiment. Throws InputError.
Launches read_launches(const Experiment& experiment);

/// The error with the origin of the value in the configuration.
InputError placed(const ParameterError& error, const configuration::Configuration& configuration);

}  // namespace reconverge::cli
