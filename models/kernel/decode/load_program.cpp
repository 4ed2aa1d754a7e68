// SPDX-License-Identifier: Apache-2.0
#include "models/kernel/decode/load_program.hpp"

#include <fmt/format.h>

#include <unordered_map>
#include <utility>

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

/// Throws InputError for a file that is not PTX, by its name or first bytes. The message says how to make PTX of it.
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

}  // namespace

std::string read_ptx(const std::filesystem::path& path) {
  std::string text = read_input(path, input::ptx);
  refuse_what_is_no_ptx(path, text);
  return text;
}

struct KernelModule::Parsed {
  Parsed(std::string text, std::string_view name) : module(parse_module(std::move(text), name)), decoder(module) {
    for (const Function& function : module.functions) {
      if (function.entry && function.defined) kernels.emplace(function.name, &function);
    }
  }

  const Function& find(std::string_view entry) const {
    if (kernels.empty()) {
      throw InputError({module.file, 0, 0}, "the module has no kernel", "mark a function __global__ (.entry in PTX)");
    }
    if (entry.empty() && kernels.size() > 1) {
      throw InputError({module.file, 0, 0}, "the module has more than one kernel, so one must be named",
                       fmt::format("kernels: {}", fmt::join(entry_names(module), ", ")));
    }
    const auto found = entry.empty() ? kernels.begin() : kernels.find(entry);
    if (found != kernels.end()) return *found->second;
    throw InputError({module.file, 0, 0}, fmt::format("no kernel '{}' in the module", entry),
                     suggest(entry, entry_names(module)));
  }

  Module module;
  ModuleDecoder decoder;
  std::unordered_map<std::string_view, const Function*> kernels;
};

KernelModule::KernelModule(std::string text, std::string_view name)
    : parsed_(std::make_unique<const Parsed>(std::move(text), name)) {}

KernelModule::KernelModule(const std::filesystem::path& path) : KernelModule(read_ptx(path), path.string()) {}

KernelModule::~KernelModule() = default;
KernelModule::KernelModule(KernelModule&&) noexcept = default;
KernelModule& KernelModule::operator=(KernelModule&&) noexcept = default;

std::vector<std::string> KernelModule::entries() const {
  const std::vector<std::string_view> names = entry_names(parsed_->module);
  return {names.begin(), names.end()};
}

Program KernelModule::load(std::string_view entry, std::span<const ExtensionInstruction> extensions) const {
  Draft draft = parsed_->decoder.decode(parsed_->find(entry), extensions);
  fill_blocks(draft.program, draft.labels);
  Program program = assign_registers(std::move(draft));
  fill_meeting_points(program);
  program.warnings = late_meetings(program);
  return program;
}

Program KernelModule::variables() const { return decode_variables(parsed_->module); }

Program load_program(const std::filesystem::path& path, std::string_view entry,
                     std::span<const ExtensionInstruction> extensions) {
  return KernelModule(path).load(entry, extensions);
}

Program load_program_text(std::string_view text, std::string_view name, std::string_view entry,
                          std::span<const ExtensionInstruction> extensions) {
  return KernelModule(std::string(text), name).load(entry, extensions);
}

Program load_variables(const std::filesystem::path& path) {
  const Module module = parse_module(read_ptx(path), path.string());
  return decode_variables(module);
}

std::vector<std::string> entries(const std::filesystem::path& path) {
  return entries_of_text(read_ptx(path), path.string());
}

std::vector<std::string> entries_of_text(std::string_view text, std::string_view name) {
  const Module module = parse_module(std::string(text), name);
  const std::vector<std::string_view> names = entry_names(module);
  return {names.begin(), names.end()};
}

}  // namespace reconverge::kernel
