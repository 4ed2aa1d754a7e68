// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "blocks/experiment.hpp"
#include "models/kernel/decode/load_program.hpp"
#include "models/kernel/inspect/inspect.hpp"
#include "models/kernel/inspect/inspect_passes.hpp"
#include "platforms/cli/commands/commands.hpp"
#include "platforms/cli/commands/inspect_json.hpp"
#include "platforms/cli/execute.hpp"
#include "platforms/cli/print.hpp"
#include "platforms/cli/run/experiment_list.hpp"
#include "platforms/configuration/json_text.hpp"
#include "platforms/launch/keys.hpp"
#include "platforms/machines/gpu/schemes.hpp"
#include "platforms/machines/machines.hpp"
#include "platforms/machines/multi_pass/multi_pass_machine.hpp"
#include "platforms/machines/stream_processor/stream_machine.hpp"

namespace reconverge::cli {

namespace {

struct InspectOptions {
  std::string file;
  std::string entry;
  bool dot = false;
  bool json = false;

  kernel::Program load() const {
    kernel::Program program = kernel::load_program(file, entry, extensions_of());
    std::vector<std::string> warnings;
    for (const kernel::Warning& warning : program.warnings) warnings.push_back(to_string(program, warning));
    warn(warnings);
    return program;
  }
};

void add_options(CLI::App& command, InspectOptions& options) {
  command.add_option("FILE", options.file, "PTX file")->required();
  command.add_option("--entry", options.entry, "Kernel; may be left out when the file has only one")->type_name("NAME");
  command.add_flag("--json", options.json, "As JSON");
}

void add_dot_option(CLI::App& command, InspectOptions& options) {
  command.add_flag("--dot", options.dot, "For Graphviz")->excludes("--json");
}

ExitCode print_json(const boost::json::value& document) {
  print(configuration::pretty(document));
  return ExitCode::success;
}

/// The result of a pass.
struct Shown {
  std::string (*text)(const kernel::Program& program);
  boost::json::object (*json)(const kernel::Program& program);
};

void add_pass(CLI::App& inspect, Command& chosen, const std::string& name, const std::string& description,
              Shown shown) {
  CLI::App* command = inspect.add_subcommand(name, description);
  const auto options = std::make_shared<InspectOptions>();
  add_options(*command, *options);
  command->callback([options, shown, &chosen] {
    chosen = [options, shown] {
      const kernel::Program program = options->load();
      if (options->json) return print_json(shown.json(program));
      print(shown.text(program));
      return ExitCode::success;
    };
  });
}

void add_flow(CLI::App& inspect, Command& chosen) {
  CLI::App* command = inspect.add_subcommand("cfg", "The control-flow graph with immediate post-dominators");
  const auto options = std::make_shared<InspectOptions>();
  add_options(*command, *options);
  add_dot_option(*command, *options);
  command->callback([options, &chosen] {
    chosen = [options] {
      const kernel::Program program = options->load();
      if (options->json) return print_json(kernel::flow_json(program));
      print(options->dot ? kernel::flow_dot(program) : kernel::flow_text(program));
      return ExitCode::success;
    };
  });
}

/// The parameters of a platform file, or of an experiment's platform; the defaults without a file.
ExperimentParameters parameters_of(const std::string& platform) {
  ExperimentParameters parameters;
  if (!platform.empty()) {
    const std::vector<std::string> files = expand_lists(std::span(&platform, 1)).files;
    if (files.size() != 1 || files.front() != platform)
      throw InputError({platform}, "this is a list of experiments, and each has its own platform",
                       fmt::format("give one of them, e.g. {}", files.front()));
  }
  if (platform.empty()) {
    configuration::load_defaults(with_kinds(experiment_block), &parameters);
  } else {
    configuration::load(with_kinds(experiment_block), &parameters, platform, {}, launch::section_keys());
  }
  return parameters;
}

struct PartsOptions : InspectOptions {
  std::string platform;
};

std::string show_streams(const PartsOptions& options) {
  const ExperimentParameters parameters = parameters_of(options.platform);
  const kernel::Program program = options.load();
  const kernel::StreamingGraph graph =
      kernel::make_streaming_graph(program, stream_options(parameters.machines.of<StreamProcessorParameters>()));
  if (options.json) return configuration::pretty(kernel::streams_json(graph));
  return options.dot ? kernel::streams_dot(graph) : kernel::streams_text(graph);
}

std::string show_passes(const PartsOptions& options) {
  const ExperimentParameters parameters = parameters_of(options.platform);
  const kernel::Program program = options.load();
  const kernel::Partition partition =
      kernel::make_partition(program, partition_options(parameters.machines.of<MultiPassParameters>()));
  if (options.json) return configuration::pretty(kernel::passes_json(partition));
  return options.dot ? kernel::partition_dot(partition) : kernel::partition_text(partition);
}

/// `show`: the parts into which a machine without branches cuts the kernel.
void add_parts(CLI::App& inspect, Command& chosen, const std::string& name, const std::string& description,
               std::string (*show)(const PartsOptions& options)) {
  CLI::App* command = inspect.add_subcommand(name, description);
  const auto options = std::make_shared<PartsOptions>();
  add_options(*command, *options);
  add_dot_option(*command, *options);
  command->add_option("--platform", options->platform, "Platform or experiment file; the default parameters without it")
      ->type_name("FILE");
  command->callback([options, show, &chosen] {
    chosen = [options, show] {
      print(show(*options));
      return ExitCode::success;
    };
  });
}

struct OccupancyOptions : InspectOptions {
  std::string platform;
  std::optional<std::uint32_t> block;
  std::uint64_t dynamic_shared = 0;
  std::uint64_t register_unit = 1;
  bool by_warp = false;
};

/// The requested block size, or the one that the kernel declares, or a choice of usual sizes.
std::vector<std::uint32_t> block_sizes(const OccupancyOptions& options, const kernel::LaunchBounds& bounds) {
  if (options.block) return {*options.block};
  const auto& declared = bounds.required_block ? bounds.required_block : bounds.maximum_block;
  if (declared) return {static_cast<std::uint32_t>(std::min<std::uint64_t>(kernel::threads_of(*declared), 1024))};
  return {32, 64, 96, 128, 192, 256, 384, 512, 768, 1024};
}

std::string show_occupancy(const OccupancyOptions& options) {
  const ExperimentParameters parameters = parameters_of(options.platform);
  const SmParameters& sm = parameters.gpu.sm;
  const kernel::Program program = options.load();
  const std::vector<std::uint32_t> sizes = block_sizes(options, program.launch_bounds);
  kernel::OccupancyQuestion question;
  question.limits = {sm.register_file.registers, options.register_unit, sm.shared_memory, sm.warp_slots,
                     sm.block_slots};
  question.block_sizes = sizes;
  question.dynamic_shared_bytes = options.dynamic_shared;
  question.unit = options.by_warp ? kernel::LaunchUnit::warp : kernel::LaunchUnit::block;
  if (options.json) return configuration::pretty(kernel::occupancy_json(program, question));
  return kernel::occupancy_text(program, question);
}

void add_occupancy(CLI::App& inspect, Command& chosen) {
  CLI::App* command = inspect.add_subcommand("occupancy", "How many threads an SM holds at once, and what limits them");
  const auto options = std::make_shared<OccupancyOptions>();
  add_options(*command, *options);
  command->add_option("--platform", options->platform, "Platform or experiment file; the default parameters without it")
      ->type_name("FILE");
  command->add_option("--block", options->block, "Threads a block; what the kernel declares without it")
      ->check(CLI::Range(1, 1024));
  command->add_option("--dynamic-shared", options->dynamic_shared, "Bytes of dynamic shared memory a block")
      ->check(CLI::Range(0, 1 << 20));
  command->add_option("--register-unit", options->register_unit, "A warp gets registers in multiples of this")
      ->check(CLI::Range(1, 65536));
  command->add_flag("--by-warp", options->by_warp, "Start warp by warp instead of block by block");
  command->callback([options, &chosen] {
    chosen = [options] {
      print(show_occupancy(*options));
      return ExitCode::success;
    };
  });
}

/// The parameters of each kernel, or the reason why it cannot run. Throws InputError if the file has no kernel or none
/// can run.
std::string show_entries(const InspectOptions& options) {
  std::string text;
  boost::json::array rows;
  std::optional<InputError> first_error;
  bool any = false;
  const kernel::KernelModule module{std::filesystem::path(options.file)};
  const auto names = options.entry.empty() ? module.entries() : std::vector{options.entry};
  if (names.empty()) {
    throw InputError({options.file}, "the module has no kernel", "mark a function __global__ (.entry in PTX)");
  }
  const auto extensions = extensions_of();
  for (const std::string& name : names) {
    try {
      const kernel::Program program = module.load(name, extensions);
      text += kernel::parameter_table(program);
      rows.push_back(kernel::entry_json(program));
      any = true;
    } catch (const InputError& error) {
      text += fmt::format("{}: refused: {}\n", name, error.what());
      rows.push_back(
          {{"kernel", name}, {"parameter_bytes", nullptr}, {"parameters", nullptr}, {"refused", error.what()}});
      if (!first_error) first_error = error;
    }
  }
  if (!any && first_error) throw InputError(*first_error);
  return options.json ? configuration::pretty({{"file", options.file}, {"entries", std::move(rows)}}) : text;
}

void add_entries(CLI::App& inspect, Command& chosen) {
  CLI::App* command = inspect.add_subcommand("entries", "The kernels of a file and the parameters that each takes");
  const auto options = std::make_shared<InspectOptions>();
  add_options(*command, *options);
  command->callback([options, &chosen] {
    chosen = [options] {
      print(show_entries(*options));
      return ExitCode::success;
    };
  });
}

}  // namespace

void add_inspect(CLI::App& app, Command& chosen) {
  CLI::App* command =
      app.add_subcommand("inspect", "Show a kernel as the platform runs it, or the modules of a platform");
  command->require_subcommand(1);
  add_pass(*command, chosen, "program", "The decoded instructions, block by block",
           {&kernel::listing, &kernel::program_json});
  add_pass(*command, chosen, "functions", "Calls between functions, and the local memory that they take",
           {&kernel::functions_text, &kernel::functions_json});
  add_flow(*command, chosen);
  add_pass(*command, chosen, "loops", "Natural loops and irreducible regions",
           {&kernel::loops_text, &kernel::loops_json});
  add_pass(*command, chosen, "liveness", "Live registers before each instruction",
           {&kernel::liveness_text, &kernel::liveness_json});
  add_occupancy(*command, chosen);
  add_pass(*command, chosen, "reconvergence", "Where the lanes of each branch meet",
           {&kernel::reconvergence_text, &kernel::reconvergence_json});
  add_pass(*command, chosen, "divergence", "Which branches may split a warp",
           {&kernel::divergence_text, &kernel::divergence_json});
  add_pass(*command, chosen, "barriers", "Convergence barriers for independent threads",
           {&kernel::barriers_text, &kernel::barriers_json});
  add_pass(*command, chosen, "scoreboards", "Counted scoreboards of long operations",
           {&kernel::scoreboards_text, &kernel::scoreboards_json});
  add_parts(*command, chosen, "stream", "The streaming graph for a machine without branches", &show_streams);
  add_parts(*command, chosen, "passes", "The kernels without control flow for a multi-pass machine", &show_passes);
  add_entries(*command, chosen);
  add_inspect_platform(*command, chosen);
  command->footer(
      "Examples:\n"
      "  reconverge inspect entries platforms/kernels/shade.ptx\n"
      "  reconverge inspect program platforms/kernels/shade.ptx --entry shade_hits\n"
      "  reconverge inspect cfg platforms/kernels/trace_while_while.ptx --dot | dot -Tsvg >flow.svg\n"
      "  reconverge inspect stream platforms/kernels/julia_stream.ptx --entry julia_colours --dot | dot -Tsvg "
      ">g.svg\n"
      "  reconverge inspect loops platforms/kernels/collatz.ptx --json\n"
      "  reconverge inspect passes platforms/kernels/collatz.ptx\n"
      "  reconverge inspect platform yaml/platforms/gtx780.yaml --dot | dot -Tsvg >platform.svg\n"
      "  reconverge inspect occupancy platforms/kernels/saxpy.ptx --platform yaml/platforms/gtx780.yaml --block 192");
}

}  // namespace reconverge::cli
