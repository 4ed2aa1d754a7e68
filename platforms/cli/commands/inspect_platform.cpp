// SPDX-License-Identifier: Apache-2.0
#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <memory>
#include <string>
#include <vector>

#include "models/core/elaborate.hpp"
#include "models/core/simulation_context.hpp"
#include "platforms/cli/commands/commands.hpp"
#include "platforms/cli/execute.hpp"
#include "platforms/cli/print.hpp"
#include "platforms/cli/run/experiment.hpp"
#include "platforms/configuration/json_text.hpp"
#include "platforms/inspection/module_tree.hpp"
#include "platforms/machine_kind.hpp"

namespace reconverge::cli {

namespace {

namespace json = boost::json;

struct PlatformOptions {
  std::string file;
  std::vector<std::string> overrides;
  bool dot = false;
  bool json = false;
};

json::array modules_json(const std::vector<inspection::Module>& modules) {
  json::array array;
  for (const inspection::Module& module : modules) {
    json::array sockets;
    for (const inspection::Socket& socket : module.sockets) {
      sockets.push_back(json::object{{"socket", socket.name},
                                     {"direction", socket.initiator ? "initiator" : "target"},
                                     {"payload", socket.payload}});
    }
    array.push_back(json::object{{"module", module.name},
                                 {"class", module.kind},
                                 {"sockets", std::move(sockets)},
                                 {"modules", modules_json(module.modules)}});
  }
  return array;
}

std::string platform_json(const std::string& file, const inspection::ModuleTree& tree) {
  json::array bindings;
  for (const inspection::Binding& binding : tree.bindings) {
    bindings.push_back(json::object{{"initiator", binding.initiator}, {"target", binding.target}});
  }
  return configuration::pretty(
      json::object{{"file", file}, {"modules", modules_json(tree.modules)}, {"bindings", std::move(bindings)}});
}

/// Throws InputError.
std::string show_platform(const PlatformOptions& options) {
  const Experiment experiment = load_experiment({options.file, options.overrides, {}});
  const SimulationContext context;
  std::unique_ptr<Machine> machine;
  try {
    machine = experiment.machine().make(experiment.parameters, experiment.kinds().schemes);
  } catch (const ParameterError& error) {
    throw placed(error, experiment.configuration);
  }
  elaborate();
  const inspection::ModuleTree tree = inspection::module_tree();
  if (options.json) return platform_json(options.file, tree);
  return options.dot ? inspection::module_dot(tree) : inspection::module_text(tree);
}

}  // namespace

void add_inspect_platform(CLI::App& inspect, Command& chosen) {
  CLI::App* command =
      inspect.add_subcommand("platform", "The modules of a platform, their TLM-2.0 sockets, and what is bound to what");
  const auto options = std::make_shared<PlatformOptions>();
  command->add_option("FILE", options->file, "Platform or experiment file")->required();
  add_set_option(*command, options->overrides);
  CLI::Option* json = command->add_flag("--json", options->json, "As JSON, with every module");
  command->add_flag("--dot", options->dot, "For Graphviz")->excludes(json);
  command->callback([options, &chosen] {
    chosen = [options] {
      print(show_platform(*options));
      return ExitCode::success;
    };
  });
}

}  // namespace reconverge::cli
