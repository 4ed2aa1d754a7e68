// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <filesystem>
#include <memory>
#include <stdexcept>
#include <string>
#include <system_error>

#include "models/core/input_file.hpp"
#include "models/kernel/decode/load_program.hpp"
#include "models/kernel/transform/microkernels.hpp"
#include "platforms/cli/commands/commands.hpp"
#include "platforms/cli/output_place.hpp"
#include "platforms/cli/print.hpp"
#include "platforms/cli/text_table.hpp"
#include "platforms/machines/gpu/schemes.hpp"
#include "platforms/report/lone_file.hpp"

namespace reconverge::cli {

namespace {

constexpr report::FileKind microkernels_kind{"PTX of this command", "made by: reconverge transform"};

struct MicrokernelsCommand {
  std::string file;
  std::string kernel;
  std::string out;
  std::string split = "loops";
  std::string local = "refuse";
  std::string adaptive = "rounds";
  kernel::MicrokernelOptions options;
  bool force = false;
};

TextColumn headed(const char* head, bool number) {
  TextColumn column;
  column.head = head;
  column.number = number;
  return column;
}

void print_report(const kernel::MicrokernelReport& report) {
  print_formatted("kernel {}: {} bytes of state a thread, {} micro-kernels\n\n", report.kernel, report.state_bytes,
                  report.microkernels.size());
  TextColumn label = headed("micro-kernel", false);
  TextColumn passed = headed("passed", true);
  TextColumn loaded = headed("loaded", true);
  for (const kernel::MicrokernelReport::Microkernel& one : report.microkernels) {
    label.cells.push_back(one.label);
    passed.cells.push_back(std::to_string(one.passed));
    loaded.cells.push_back(std::to_string(one.loaded));
  }
  const TextColumn entries[] = {std::move(label), std::move(passed), std::move(loaded)};
  print(text_of(entries) + "\n");
  TextColumn target = headed("spawn of", false);
  TextColumn line = headed("line", true);
  TextColumn stored = headed("stored", true);
  for (const kernel::MicrokernelReport::Spawn& one : report.spawns) {
    target.cells.push_back(one.label);
    line.cells.push_back(std::to_string(one.line));
    stored.cells.push_back(std::to_string(one.stored));
  }
  const TextColumn spawns[] = {std::move(target), std::move(line), std::move(stored)};
  print(text_of(spawns));
  if (report.array_bytes != 0)
    print_formatted("\none parameter more: the address of {} bytes of global memory for each thread of the launch\n",
                    report.array_bytes);
}

/// Checks that the written kernel can be loaded: the front end reads it before the user does.
void check(const kernel::Microkernels& made) {
  try {
    kernel::load_program_text(made.text, "the result", made.report.kernel, extensions_of());
  } catch (const InputError& error) {
    throw std::logic_error(fmt::format("transform microkernels wrote what cannot be read: {}", error.what()));
  }
}

ExitCode write_microkernels(MicrokernelsCommand command) {
  command.options.split = command.split == "loops" ? kernel::SplitAt::loops : kernel::SplitAt::branches;
  command.options.local = command.local == "state"    ? kernel::LocalArrays::state
                          : command.local == "global" ? kernel::LocalArrays::global
                                                      : kernel::LocalArrays::refuse;
  command.options.adaptive = command.adaptive == "rounds"     ? kernel::GoesOn::rounds
                             : command.adaptive == "anywhere" ? kernel::GoesOn::anywhere
                                                              : kernel::GoesOn::nowhere;
  std::error_code ignored;
  if (std::filesystem::equivalent(command.file, command.out, ignored))
    throw InputError({command.out, 0, 0}, "this is the kernel that is to be read", "give --out another file");
  const kernel::Microkernels made =
      kernel::make_microkernels(kernel::read_ptx(command.file), command.file, command.kernel, command.options);
  check(made);
  report::write_file(command.out, microkernels_kind, command.force, made.text);
  print_report(made.report);
  return ExitCode::success;
}

void add_microkernels(CLI::App& transform, Command& chosen) {
  CLI::App* command = transform.add_subcommand("microkernels", "Make dynamic micro-kernels of a kernel");
  const auto options = std::make_shared<MicrokernelsCommand>();
  command->add_option("FILE", options->file, "PTX file")->required();
  command->add_option("--kernel", options->kernel, "Kernel; may be left out when the file has only one")
      ->type_name("NAME");
  command->add_option("--split", options->split, "At loops (loops) or at all divergent branches (branches)")
      ->capture_default_str()
      ->check(CLI::IsMember({"loops", "branches"}))
      ->type_name("WHERE");
  command->add_option("--depth", options->options.depth, "Only loops of at most this nesting depth; 1: the outermost")
      ->check(CLI::Range(1, 1000))
      ->type_name("N");
  command->add_option("--from-depth", options->options.from_depth, "Only loops of at least this nesting depth")
      ->check(CLI::Range(1, 1000))
      ->type_name("N");
  command
      ->add_option("--local", options->local,
                   "Local arrays: refuse the kernel, put them into the state (state), or into global memory (global)")
      ->capture_default_str()
      ->check(CLI::IsMember({"refuse", "state", "global"}))
      ->type_name("HOW");
  command
      ->add_option("--least", options->options.least,
                   "Leave out micro-kernels of fewer than N instructions that access no memory")
      ->check(CLI::Range(0, 1000))
      ->type_name("N");
  command
      ->add_option("--adaptive", options->adaptive,
                   "Where a converged warp branches instead of spawning threads: nowhere, at the next round of a loop "
                   "(rounds), or anywhere")
      ->capture_default_str()
      ->check(CLI::IsMember({"nowhere", "rounds", "anywhere"}))
      ->type_name("WHERE");
  command->add_option("--out", options->out, "PTX file to write")->required()->check(output_place())->type_name("FILE");
  add_force_option(*command, options->force);
  command->callback([options, &chosen] { chosen = [options] { return write_microkernels(*options); }; });
}

}  // namespace

void add_transform(CLI::App& app, Command& chosen) {
  CLI::App* command = app.add_subcommand("transform", "Rewrite a kernel");
  command->require_subcommand(1);
  add_microkernels(*command, chosen);
  command->footer(
      "Examples:\n"
      "  reconverge transform microkernels platforms/kernels/collatz.ptx --out collatz.ptx\n"
      "  reconverge transform microkernels trace.ptx --kernel trace --depth 1 --local state --out trace.micro.ptx");
}

}  // namespace reconverge::cli
