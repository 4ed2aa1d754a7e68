#include "models/kernel/decode/load_program.hpp"

#include <fmt/format.h>

#include "models/core/error.hpp"
#include "models/core/input_file.hpp"
#include "models/core/suggestion.hpp"
#include "models/kernel/analysis/control_flow.hpp"
#include "models/kernel/analysis/late_meetings.hpp"
#include "models/kernel/decode/decode.hpp"
#include "models/kernel/decode/register_allocation.hpp"
#include "models/kernel/syntax/parser.hpp"

namespace reconverge::kernel {

namespace {

/// What a file is by its name or its first bytes, and what gives PTX instead; nothing to say of PTX.
void refuse_what_is_no_ptx(const std::filesystem::path& path, std::string_view text) {
  const auto refuse = [&](std::string_view what, const std::string& hint) {
    throw InputError({path.string(), 0, 0}, fmt::format("this is {}, where PTX is expected", what), hint);
  };
  const std::string ending = path.extension().string();
  if (ending == ".cu") refuse("CUDA C++", fmt::format("make PTX of it: reconverge compile {}", path.string()));
  if (ending == ".cl") refuse("OpenCL C", fmt::format("make PTX of it: reconverge compile {}", path.string()));
  for (const std::string_view other : {".cpp", ".cc", ".cxx", ".c", ".h", ".hpp", ".cuh"}) {
    if (ending == other) refuse("a C++ source", "put the kernel into a .cu file, and: reconverge compile FILE.cu");
  }
  if (ending == ".yaml" || ending == ".yml") refuse("YAML", "give the file that its `program:` names");
  if (text.starts_with("\x7f"
                       "ELF"))
    refuse("machine code", "keep the PTX: nvcc -ptx, or cuobjdump -ptx of a program");
  if (text.starts_with("\xff\xfe") || text.starts_with("\xfe\xff"))
    refuse("text in UTF-16", "save it as UTF-8 or ASCII");
}

std::vector<std::string_view> entry_names(const Module& module) {
  std::vector<std::string_view> names;
  for (const Function& function : module.functions) {
    if (function.entry && function.defined) names.push_back(function.name);
  }
  return names;
}

const Function& find_entry(const Module& module, std::string_view entry) {
  const std::vector<std::string_view> names = entry_names(module);
  if (names.empty()) {
    throw InputError({module.file, 0, 0}, "the module has no kernel", "mark a function __global__ (.entry in PTX)");
  }
  if (entry.empty() && names.size() > 1) {
    throw InputError({module.file, 0, 0}, "the module has more than one kernel, so one must be named",
                     fmt::format("kernels: {}", fmt::join(names, ", ")));
  }
  const std::string_view wanted = entry.empty() ? names.front() : entry;
  for (const Function& function : module.functions) {
    if (function.entry && function.defined && function.name == wanted) return function;
  }
  throw InputError({module.file, 0, 0}, fmt::format("no kernel '{}' in the module", wanted), suggest(wanted, names));
}

Program load_from_module(const Module& module, std::string_view entry,
                         std::span<const ExtensionInstruction> extensions) {
  Draft draft = decode(module, find_entry(module, entry), extensions);
  fill_blocks(draft.program, draft.labels);
  Program program = assign_registers(std::move(draft));
  fill_meeting_points(program);
  program.warnings = late_meetings(program);
  return program;
}

std::vector<std::string> to_strings(const std::vector<std::string_view>& names) { return {names.begin(), names.end()}; }

}  // namespace

std::string read_ptx(const std::filesystem::path& path) {
  std::string text = read_input(path, input::ptx);
  refuse_what_is_no_ptx(path, text);
  return text;
}

Program load_program(const std::filesystem::path& path, std::string_view entry,
                     std::span<const ExtensionInstruction> extensions) {
  return load_from_module(parse_module(read_ptx(path), path.string()), entry, extensions);
}

Program load_program_text(std::string_view text, std::string_view name, std::string_view entry,
                          std::span<const ExtensionInstruction> extensions) {
  return load_from_module(parse_module(std::string(text), name), entry, extensions);
}

Program load_variables(const std::filesystem::path& path) {
  const Module module = parse_module(read_ptx(path), path.string());
  return decode_variables(module);
}

std::vector<std::string> entries(const std::filesystem::path& path) {
  return to_strings(entry_names(parse_module(read_ptx(path), path.string())));
}

std::vector<std::string> entries_of_text(std::string_view text, std::string_view name) {
  return to_strings(entry_names(parse_module(std::string(text), name)));
}

}  // namespace reconverge::kernel
