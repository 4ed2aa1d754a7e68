// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <memory>
#include <string>
#include <vector>

#include "models/core/error.hpp"
#include "models/kernel/decode/load_program.hpp"
#include "platforms/cli/commands/commands.hpp"
#include "platforms/cli/interrupt.hpp"
#include "platforms/compile/builder.hpp"
#include "platforms/compile/compiler.hpp"
#include "platforms/cuda/fat_binary.hpp"
#include "platforms/host/installation.hpp"
#include "platforms/machines/gpu/schemes.hpp"
#include "platforms/report/build_info.hpp"

namespace reconverge::cli {

namespace {

/// Kernels that will fail when they are launched, with the line of their source.
void warn_of_kernels(const std::string& ptx, const std::string& source) {
  const auto extensions = extensions_of();
  const kernel::KernelModule module(ptx, source + ".ptx");
  for (const std::string& entry : module.entries()) {
    try {
      module.load(entry, extensions);
    } catch (const InputError& error) {
      const std::string line = compile::source_line(ptx, error.location().line);
      warn({fmt::format("kernel {} cannot run: {}{}", entry, error.what(), line.empty() ? "" : " (of " + line + ")")});
    }
  }
}

std::string embed(const std::string& ptx, const std::string& source) {
  warn_of_kernels(ptx, source);
  return cuda::fat_binary_of(ptx, 75, source);
}

ExitCode build(const std::vector<std::string>& words) {
  const InterruptGuard interrupts;
  const compile::BuildPlan plan = compile::read_build(words);
  const compile::BuildTools tools{library_folder(), std::string(report::build_info().version), embed,
                                  [&interrupts] { return interrupts.requested(); }};
  return compile::build(plan, tools) ? ExitCode::success : complain(ExitCode::interrupted, "interrupted");
}

}  // namespace

void add_build(CLI::App& app, Command& chosen) {
  CLI::App* command = app.add_subcommand("build", "Build a CUDA program for `reconverge exec`, like nvcc");
  command->set_help_flag("--help", "Print this help message and exit");
  command->allow_extras();
  command->footer(
      "Compiles host and device code with clang; no CUDA toolkit is needed. Options are those of nvcc and clang:\n"
      "-o -c -I -D -O -std -l -L -g -Xcompiler -x cu and so on; those about architectures change nothing.\n"
      "Examples:\n"
      "  reconverge build app.cu -o app\n"
      "  reconverge build -O3 -Iinclude main.cpp kernels.cu -lm -o app\n"
      "  make NVCC=\"reconverge build\"");
  command->callback([command, &chosen] { chosen = [words = command->remaining()] { return build(words); }; });
}

}  // namespace reconverge::cli
