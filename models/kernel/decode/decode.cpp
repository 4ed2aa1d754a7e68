// SPDX-License-Identifier: Apache-2.0
#include "models/kernel/decode/decode.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "models/kernel/decode/function_decoder.hpp"
#include "models/kernel/decode/special_registers.hpp"
#include "models/kernel/syntax/declaration_parser.hpp"
#include "models/kernel/syntax/performance_directives.hpp"

namespace reconverge::kernel {

namespace {

// A word may be a pointer if addresses have 32 bits, or, in old PTX, if their size is not given.
std::uint32_t address_bytes_of(const Module& module, const VariableDeclaration& parameter) {
  constexpr std::uint32_t narrow = 4;
  constexpr std::uint32_t wide = 8;
  if (parameter.type == DataType::b8) return module.address_size == 32 ? narrow : wide;
  if (is_float(parameter.type)) return 0;
  const unsigned bytes = bytes_of(parameter.type);
  const bool may_be_narrow = module.address_size == 32 || !module.address_size_given;
  return bytes == wide || (bytes == narrow && may_be_narrow) ? bytes : 0;
}

void lay_out_parameters(const Module& module, const Function& function, Program& program) {
  std::uint64_t end = 0;
  for (const VariableDeclaration& parameter : function.prototype.parameters) {
    end = (end + parameter.alignment - 1) / parameter.alignment * parameter.alignment;
    program.parameters.push_back({std::string(parameter.name), parameter.type, static_cast<std::uint32_t>(end),
                                  static_cast<std::uint32_t>(parameter.bytes()), parameter.alignment,
                                  address_bytes_of(module, parameter)});
    end += parameter.bytes();
    if (end > max_parameter_bytes) {
      throw InputError(locate(module.file, function.position), fmt::format("the parameters take {} bytes", end),
                       "a kernel has at most 32764 bytes of parameters; pass a pointer");
    }
  }
  program.parameter_bytes = static_cast<std::uint32_t>(end);
}

// A called pointer may hold any function whose address the module takes.
void need_pointed_to(const Module& module, const ModuleSymbols& symbols, FunctionQueue& queue) {
  const auto look_at = [&](const SyntaxOperand& operand) {
    if (operand.kind != SyntaxOperand::Kind::name) return;
    const Symbol symbol = symbols.find(operand.name);
    const bool callable = symbol.kind == Symbol::Kind::function && symbol.function->defined && !symbol.function->entry;
    if (callable) queue.need(*symbol.function);
  };
  for (const VariableDeclaration& variable : module.variables) {
    for (const InitialValue& initial : variable.initial) look_at(initial.value);
  }
  for (const Function& function : module.functions) {
    for (const SyntaxInstruction& instruction : function.instructions) {
      if (instruction.mnemonic == "call") continue;
      for (const SyntaxOperand& operand : instruction.operands) look_at(operand);
    }
  }
}

}  // namespace

Draft decode(const Module& module, const Function& entry, std::span<const ExtensionInstruction> extensions) {
  return ModuleDecoder(module).decode(entry, extensions);
}

Draft ModuleDecoder::decode(const Function& entry, std::span<const ExtensionInstruction> extensions) const {
  if (entry.refused) throw InputError(*entry.refused);
  Draft draft;
  Program& program = draft.program;
  program.name = std::string(entry.name);
  program.file = module_.file;
  program.launch_bounds = launch_bounds(module_, entry);
  program.reserved_shared_bytes = program.shared_bytes = reserved_shared_bytes(module_.target);
  lay_out_parameters(module_, entry, program);

  ConstantPool constants(program, module_, symbols_);
  FunctionQueue functions;
  std::vector<CallSite> calls;
  std::vector<FrameSize> frames;
  const DecoderState state{module_, symbols_, extensions, Matcher::of_table(), draft, constants, functions, calls};
  functions.need(entry);
  bool pointed_to = false;
  for (std::size_t i = 0; i < functions.functions().size(); ++i) {
    frames.push_back(decode_function(*functions.functions()[i], state));
    if (draft.indirect_calls && !std::exchange(pointed_to, true)) need_pointed_to(module_, symbols_, functions);
  }
  for (const CallSite& call : calls) {
    const auto& decoded = functions.functions();
    const auto callee = std::find(decoded.begin(), decoded.end(), call.callee) - decoded.begin();
    program.instructions[call.pc].target = program.functions[static_cast<std::size_t>(callee)].first;
  }
  lay_out_stack(draft, constants, frames);
  constants.finish();
  return draft;
}

Program decode_variables(const Module& module) {
  Program program;
  program.file = module.file;
  const ModuleSymbols symbols(module);
  ConstantPool constants(program, module, symbols);
  for (const VariableDeclaration& variable : module.variables) {
    const bool is_data = variable.space == Space::global || variable.space == Space::constant;
    if (is_data && !variable.external && !variable.texture) constants.address(variable, 0, true, variable.position);
  }
  program.constants.clear();
  program.address_constants.clear();
  program.constant_rows = 0;
  return program;
}

}  // namespace reconverge::kernel
