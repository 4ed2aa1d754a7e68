#include <fmt/format.h>

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <system_error>
#include <vector>

#include "models/kernel/decode/load_program.hpp"
#include "models/kernel/inspect/inspect.hpp"
#include "platforms/cli/commands.hpp"
#include "platforms/cli/execute.hpp"
#include "platforms/cli/interrupt.hpp"
#include "platforms/cli/output_place.hpp"
#include "platforms/cli/print.hpp"
#include "platforms/compile/compiler.hpp"
#include "platforms/gpu/schemes.hpp"
#include "platforms/report/output_folder.hpp"

namespace reconverge::cli {

namespace {

namespace fs = std::filesystem;

struct CompileCommand {
  fs::path file;
  fs::path out;
  compile::CompileOptions options;
};

/// Where the text will lie: `walk.ptx` in the current folder for `somewhere/walk.cu`.
fs::path place_of_text(const CompileCommand& command) {
  if (command.out.empty()) return fs::path(command.file.filename()).replace_extension(".ptx");
  std::error_code ignored;
  if (fs::equivalent(command.file, command.out, ignored)) {
    throw InputError({command.out.generic_string()}, "this is the source", "give --out another file");
  }
  return command.out;
}

InputError with_source(const InputError& error, const std::string& ptx) {
  const std::string source = compile::source_line(ptx, error.location().line);
  return source.empty() ? error : InputError({}, fmt::format("{} (of {})", error.what(), source));
}

/// Prints what each kernel takes, or why it cannot run, and warns. Throws InputError when none can.
void show_kernels(const std::string& ptx, const std::string& name) {
  std::vector<std::string> warnings;
  std::string text;
  std::optional<InputError> first_error;
  bool any = false;
  for (const std::string& entry : kernel::entries_of_text(ptx, name)) {
    try {
      const kernel::Program program = kernel::load_program_text(ptx, name, entry, extensions_of());
      text += kernel::parameter_table(program);
      for (const kernel::Warning& warning : program.warnings) warnings.push_back(to_string(program, warning));
      any = true;
    } catch (const InputError& error) {
      const InputError shown = with_source(error, ptx);
      text += fmt::format("{}: refused: {}\n", entry, shown.what());
      if (!first_error) first_error = shown;
    }
  }
  if (!any && first_error) throw InputError(*first_error);
  if (!any) throw InputError({name}, "there is no kernel in it", "declare one `__global__`, or in OpenCL C `__kernel`");
  print(text);
  warn(warnings);
}

ExitCode compile_source(const CompileCommand& command) {
  const InterruptGuard interrupts;
  const fs::path out = place_of_text(command);
  const compile::Compiled made =
      compile::compile(command.file, command.options, [&interrupts] { return interrupts.requested(); });
  if (made.stopped) return complain(ExitCode::interrupted, "interrupted; nothing was written");
  report::write_file(out, made.text);
  const std::string name = out.generic_string();
  show_kernels(made.text, name);
  print_formatted(
      "{} by {}, -O{}. To run it, name it in a launch file as `program: {}`, and `reconverge run` that file\n", name,
      made.compiler, command.options.level, name);
  return ExitCode::success;
}

}  // namespace

void add_compile(CLI::App& app, Command& chosen) {
  CLI::App* command = app.add_subcommand("compile", "Make PTX of CUDA C++ or OpenCL C");
  const auto options = std::make_shared<CompileCommand>();
  compile::CompileOptions& compiler = options->options;
  command->add_option("FILE", options->file, "Source, .cu or .cl")->required();
  command->add_option("--out", options->out, "PTX file to write; FILE.ptx in the current folder without it")
      ->check(output_place())
      ->type_name("FILE.ptx");
  command
      ->add_option("--compiler", compiler.compiler,
                   "clang, nvcc, or the path of one; without it the first that is there, clang before nvcc")
      ->type_name("COMPILER");
  command->add_option("-O", compiler.level, "Level of optimisation: 0, 1, 2 or 3")
      ->capture_default_str()
      ->check(CLI::IsMember({"0", "1", "2", "3"}))
      ->type_name("LEVEL");
  command->add_option("-I", compiler.include_folders, "Folder with headers; may come often")
      ->allow_extra_args(false)
      ->type_name("DIR");
  command->add_option("-D", compiler.definitions, "Macro; may come often")
      ->allow_extra_args(false)
      ->type_name("NAME[=VALUE]");
  command->add_flag("--lineinfo,!--no-lineinfo", compiler.line_information,
                    "Lines of the source in the PTX, for profiles and messages (default)");
  command->footer(
      "Reads the PTX as `inspect entries` does, so that what cannot run is refused at once, with the line of the "
      "source.\n"
      "Examples:\n"
      "  reconverge compile examples/own_kernel/divisors.cu\n"
      "  reconverge compile walk.cu --out build/walk.ptx --compiler nvcc -O 3 -I include -D STEPS=20");
  command->callback([options, &chosen] { chosen = [options] { return compile_source(*options); }; });
}

}  // namespace reconverge::cli
