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

Program load_program(const std::filesystem::path& path, std::string_view entry,
                     std::span<const ExtensionInstruction> extensions) {
  return load_from_module(parse_module(read_input(path, input::ptx), path.string()), entry, extensions);
}

Program load_program_text(std::string_view text, std::string_view name, std::string_view entry,
                          std::span<const ExtensionInstruction> extensions) {
  return load_from_module(parse_module(std::string(text), name), entry, extensions);
}

Program load_variables(const std::filesystem::path& path) {
  const Module module = parse_module(read_input(path, input::ptx), path.string());
  return decode_variables(module);
}

std::vector<std::string> entries(const std::filesystem::path& path) {
  return to_strings(entry_names(parse_module(read_input(path, input::ptx), path.string())));
}

std::vector<std::string> entries_of_text(std::string_view text, std::string_view name) {
  return to_strings(entry_names(parse_module(std::string(text), name)));
}

}  // namespace reconverge::kernel
