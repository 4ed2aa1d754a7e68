#include <fmt/format.h>

#include <memory>

#include "models/kernel/inspect.hpp"
#include "models/kernel/load_program.hpp"
#include "platforms/cli/commands.hpp"
#include "platforms/cli/print.hpp"

namespace reconverge::cli {

namespace {

struct InspectOptions {
  std::string file;
  std::string entry;
  bool dot = false;
};

void add_options(CLI::App& command, InspectOptions& options) {
  command.add_option("FILE", options.file, "PTX file")->required();
  command.add_option("--entry", options.entry, "Kernel; may be left out when the file has only one")->type_name("NAME");
}

void add_program(CLI::App& inspect, Command& chosen) {
  CLI::App* command = inspect.add_subcommand("program", "The decoded instructions, block by block");
  const auto options = std::make_shared<InspectOptions>();
  add_options(*command, *options);
  command->callback([options, &chosen] {
    chosen = [options] {
      print(kernel::listing(kernel::load_program(options->file, options->entry)));
      return ExitCode::success;
    };
  });
}

void add_flow(CLI::App& inspect, Command& chosen) {
  CLI::App* command = inspect.add_subcommand("cfg", "The control-flow graph with immediate post-dominators");
  const auto options = std::make_shared<InspectOptions>();
  add_options(*command, *options);
  command->add_flag("--dot", options->dot, "For Graphviz");
  command->callback([options, &chosen] {
    chosen = [options] {
      const kernel::Program program = kernel::load_program(options->file, options->entry);
      print(options->dot ? kernel::flow_dot(program) : kernel::flow_text(program));
      return ExitCode::success;
    };
  });
}

}  // namespace

void add_inspect(CLI::App& app, Command& chosen) {
  CLI::App* command = app.add_subcommand("inspect", "Show a kernel as the platform runs it");
  command->require_subcommand(1);
  add_program(*command, chosen);
  add_flow(*command, chosen);
  command->footer(
      "Examples:\n"
      "  reconverge inspect program testbenches/kernels/shade.ptx --entry shade_hits\n"
      "  reconverge inspect cfg testbenches/kernels/trace_while_while.ptx --dot | dot -Tsvg >flow.svg");
}

}  // namespace reconverge::cli
