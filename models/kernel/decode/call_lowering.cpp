// SPDX-License-Identifier: Apache-2.0
#include "models/kernel/decode/call_lowering.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <span>
#include <string>
#include <vector>

namespace reconverge::kernel {

namespace {

using Written = SyntaxOperand::Kind;

bool is_register(const VariableDeclaration& parameter) { return parameter.space != Space::param; }

// The register that is passed to a function, or the parts of the vector register.
std::vector<SyntaxOperand> registers_of(const VariableDeclaration& parameter) {
  std::vector<SyntaxOperand> registers(std::max<std::size_t>(1, parameter.parts.size()));
  for (std::size_t i = 0; i < registers.size(); ++i) {
    registers[i].name = parameter.parts.empty() ? parameter.name : parameter.parts[i];
    registers[i].position = parameter.position;
  }
  return registers;
}

FramePlace element_at(FramePlace first, const VariableDeclaration& variable, std::size_t index) {
  return {first.offset + static_cast<std::uint32_t>(index) * variable.bytes_of_element(), first.beyond};
}

DataType unsigned_of(unsigned bytes) {
  switch (bytes) {
    case 1:
      return DataType::u8;
    case 2:
      return DataType::u16;
    case 4:
      return DataType::u32;
    default:
      return DataType::u64;
  }
}

Work guarded_like(const Work& like, Work work) {
  work.instruction.guard = like.instruction.guard;
  work.instruction.guard_negated = like.instruction.guard_negated;
  work.values.guard = like.values.guard;
  return work;
}

/// A CUDA function that no module defines.
struct HostCall {
  std::string_view name;
  HostFunction function;
  std::size_t arguments;
};

constexpr auto host_calls = std::to_array<HostCall>({
    {"vprintf", HostFunction::print, 2},
    {"__assertfail", HostFunction::assert_fail, 5},
    {"__assert_fail", HostFunction::assert_fail, 4},
    {"malloc", HostFunction::allocate, 1},
    {"free", HostFunction::release, 1},
});

const HostCall* host_call_named(std::string_view name) {
  const auto* const found =
      std::find_if(host_calls.begin(), host_calls.end(), [&](const HostCall& one) { return one.name == name; });
  return found == host_calls.end() ? nullptr : found;
}

std::string_view hint_for(std::string_view undefined) {
  if (undefined.starts_with("cudaLaunch") || undefined.starts_with("cudaGetParameterBuffer") ||
      undefined.starts_with("cudaDevice") || undefined.starts_with("cudaStream")) {
    return "kernels cannot launch kernels here: launch them one after the other from outside";
  }
  if (undefined.starts_with("__nv_")) {
    return "it is in libdevice: compile with nvcc, or give clang the library (--cuda-path, or -mlink-builtin-bitcode)";
  }
  return "link the modules (nvcc -dlink works on cubins; put the sources into one file), or inline it";
}

}  // namespace

ValueId CallLowering::link() {
  if (draft_.link == no_value) draft_.link = binder_.new_value(ValueClass::narrow);
  return draft_.link;
}

Work CallLowering::access(Opcode opcode, DataType type, FramePlace place) {
  Work work;
  work.instruction.opcode = opcode;
  work.instruction.operation_class = opcode == Opcode::ld ? OperationClass::load : OperationClass::store;
  work.instruction.type = type;
  binder_.frame_address(work, place, 0);
  return work;
}

void CallLowering::store(const SyntaxOperand& from, DataType type, FramePlace to, std::vector<Work>& into) {
  if (type != DataType::pred) {
    Work store = access(Opcode::st, type, to);
    binder_.source(store, 1, from, type, OperandBinder::Fit::wider);
    into.push_back(store);
    return;
  }
  const ValueId word = binder_.new_value(ValueClass::narrow);
  Work select;
  select.instruction.opcode = Opcode::selp;
  select.instruction.type = DataType::b32;
  binder_.constant(select, 0, 1, false, from.position);
  binder_.constant(select, 1, 0, false, from.position);
  binder_.source(select, 2, from, type);
  binder_.place(select, true, 0, word);
  into.push_back(select);
  Work store = access(Opcode::st, DataType::b32, to);
  binder_.place(store, false, 1, word);
  into.push_back(store);
}

void CallLowering::load(const SyntaxOperand& to, DataType type, FramePlace from, std::vector<Work>& into) {
  if (type != DataType::pred) {
    Work load = access(Opcode::ld, type, from);
    binder_.destination(load, 0, to, type, OperandBinder::Fit::wider);
    into.push_back(load);
    return;
  }
  const ValueId word = binder_.new_value(ValueClass::narrow);
  Work load = access(Opcode::ld, DataType::b32, from);
  binder_.place(load, true, 0, word);
  into.push_back(load);
  Work compare;
  compare.instruction.opcode = Opcode::setp;
  compare.instruction.type = DataType::u32;
  compare.instruction.comparison = Comparison::ne;
  binder_.place(compare, false, 0, word);
  binder_.constant(compare, 1, 0, false, to.position);
  binder_.destination(compare, 0, to, type);
  into.push_back(compare);
}

void CallLowering::store_all(std::span<const SyntaxOperand> from, const VariableDeclaration& formal, FramePlace to,
                             std::vector<Work>& into) {
  for (std::size_t i = 0; i < from.size(); ++i) store(from[i], formal.type, element_at(to, formal, i), into);
}

void CallLowering::load_all(std::span<const SyntaxOperand> to, const VariableDeclaration& formal, FramePlace from,
                            std::vector<Work>& into) {
  for (std::size_t i = 0; i < to.size(); ++i) load(to[i], formal.type, element_at(from, formal, i), into);
}

std::vector<Work> CallLowering::prologue() {
  std::vector<Work> result;
  if (function_.entry) return result;
  way_back_ = binder_.new_value(ValueClass::narrow);
  Work keep;
  keep.instruction.opcode = Opcode::mov;
  keep.instruction.type = DataType::u32;
  binder_.place(keep, false, 0, link());
  binder_.place(keep, true, 0, way_back_);
  result.push_back(keep);
  for (const VariableDeclaration& parameter : function_.prototype.parameters) {
    if (is_register(parameter)) {
      load_all(registers_of(parameter), parameter, {frame_.incoming(parameter), false}, result);
    }
  }
  return result;
}

std::vector<Work> CallLowering::leave(Work work) {
  std::vector<Work> result;
  for (const VariableDeclaration& parameter : function_.prototype.results) {
    if (is_register(parameter)) {
      store_all(registers_of(parameter), parameter, {frame_.incoming(parameter), false}, result);
    }
  }
  binder_.place(work, false, 0, way_back_);
  binder_.place(work, false, 1, binder_.stack_pointer());
  result.push_back(work);
  return result;
}

void CallLowering::check_counts(const SyntaxInstruction& syntax, const CallOperands& operands,
                                const Prototype& prototype) const {
  if (operands.arguments.size() == prototype.parameters.size() && operands.results.size() == prototype.results.size()) {
    return;
  }
  binder_.refuse(syntax.position,
                 fmt::format("'{}' takes {} arguments and gives {} results, but {} and {} are written",
                             operands.callee->name, prototype.parameters.size(), prototype.results.size(),
                             operands.arguments.size(), operands.results.size()),
                 "write call (results), function, (arguments);");
}

FramePlace CallLowering::home_of(const SyntaxOperand& written, const VariableDeclaration& formal) {
  const Symbol symbol = binder_.find(written.name);
  if (symbol.kind == Symbol::Kind::none) binder_.refuse_unknown(written);
  const bool fits = symbol.variable != nullptr && symbol.variable->space == Space::param;
  if (!fits || symbol.variable->bytes() != formal.bytes()) {
    binder_.refuse(written.position,
                   fmt::format("'{}' does not fit the parameter, of {} bytes, that it is passed for", written.name,
                               formal.bytes()),
                   "pass a .param variable of that size, a register or a number");
  }
  if (symbol.kind != Symbol::Kind::parameter) return frame_.place(*symbol.variable);
  if (function_.entry) binder_.refuse(written.position, "a parameter of a kernel cannot be passed on as it is");
  return {frame_.incoming(*symbol.variable), false};
}

void CallLowering::copy(FramePlace from, FramePlace to, const VariableDeclaration& variable, std::vector<Work>& into) {
  std::uint32_t bytes = std::min(8U, variable.alignment);
  for (std::uint32_t at = 0; at < variable.bytes(); at += bytes) {
    while (at + bytes > variable.bytes()) bytes /= 2;
    const DataType type = unsigned_of(bytes);
    const ValueId step = binder_.new_value(class_of(type));
    Work load = access(Opcode::ld, type, {from.offset + at, from.beyond});
    binder_.place(load, true, 0, step);
    Work store = access(Opcode::st, type, {to.offset + at, to.beyond});
    binder_.place(store, false, 1, step);
    into.push_back(load);
    into.push_back(store);
  }
}

bool CallLowering::is_value(const SyntaxOperand& written) const {
  return written.kind != Written::name || binder_.declared_type(written) != DataType::none;
}

std::vector<SyntaxOperand> CallLowering::values_of(const SyntaxOperand& written,
                                                   const VariableDeclaration& formal) const {
  const std::vector<SyntaxOperand> values =
      written.kind == Written::vector ? written.elements : std::vector<SyntaxOperand>{written};
  if (formal.elements != 1 || values.size() != formal.vector_width) {
    const std::string form = formal.elements != 1 ? "a .param variable"
                             : formal.vector_width == 1
                                 ? "a register or a number"
                                 : fmt::format("a vector register of {} elements", formal.vector_width);
    binder_.refuse(written.position,
                   fmt::format("this does not fit the parameter '{}' that it is passed for", formal.name),
                   fmt::format("pass {}, of {} bytes", form, formal.bytes()));
  }
  return values;
}

void CallLowering::copy_argument(const SyntaxOperand& written, const VariableDeclaration& formal, std::uint32_t offset,
                                 std::vector<Work>& into) {
  if (is_value(written)) return store_all(values_of(written, formal), formal, {offset, true}, into);
  const FramePlace home = home_of(written, formal);
  if (!home.beyond) copy(home, {offset, true}, formal, into);
}

void CallLowering::copy_result(const SyntaxOperand& written, const VariableDeclaration& formal, std::uint32_t offset,
                               std::vector<Work>& into) {
  if (written.kind != Written::name && written.kind != Written::vector) {
    binder_.refuse(written.position, "a result goes to a register or .param variable");
  }
  if (written.name == "_") return;
  if (is_value(written)) return load_all(values_of(written, formal), formal, {offset, true}, into);
  const FramePlace home = home_of(written, formal);
  if (!home.beyond) copy({offset, true}, home, formal, into);
}

void CallLowering::host_argument(const SyntaxOperand& written, const VariableDeclaration& formal, unsigned slot,
                                 Work& work, std::vector<Work>& before) {
  const DataType type = unsigned_of(static_cast<unsigned>(formal.bytes()));
  if (is_value(written)) return binder_.source(work, slot, written, type);
  const ValueId value = binder_.new_value(class_of(type));
  Work load = access(Opcode::ld, type, home_of(written, formal));
  binder_.place(load, true, 0, value);
  binder_.place(work, false, slot, value);
  before.push_back(load);
}

void CallLowering::host_result(const SyntaxOperand& written, const VariableDeclaration& formal, Work& work,
                               std::vector<Work>& after) {
  const DataType type = unsigned_of(static_cast<unsigned>(formal.bytes()));
  if (is_value(written) || written.name == "_") return binder_.destination(work, 0, written, type);
  const ValueId value = binder_.new_value(class_of(type));
  binder_.place(work, true, 0, value);
  Work store = guarded_like(work, access(Opcode::st, type, home_of(written, formal)));
  binder_.place(store, false, 1, value);
  after.push_back(store);
}

std::vector<Work> CallLowering::host_call(const SyntaxInstruction& syntax, Work work, const Function& function) {
  const HostCall* const known = host_call_named(function.name);
  if (known == nullptr) {
    binder_.refuse(syntax.position, fmt::format("'{}' is called, but the module does not define it", function.name),
                   hint_for(function.name));
  }
  const CallOperands operands = call_operands(syntax);
  const Prototype& prototype = function.prototype;
  check_counts(syntax, operands, prototype);
  const auto is_scalar = [](const VariableDeclaration& one) { return one.bytes() == 4 || one.bytes() == 8; };
  const auto all_scalar = [&](const auto& all) { return std::all_of(all.begin(), all.end(), is_scalar); };
  if (prototype.parameters.size() != known->arguments || prototype.results.size() > 1 ||
      !all_scalar(prototype.parameters) || !all_scalar(prototype.results)) {
    binder_.refuse(syntax.position, fmt::format("'{}' is declared differently from CUDA's", function.name),
                   "declare it as nvcc does, or rename your function");
  }
  work.instruction.opcode = Opcode::host;
  work.instruction.operation_class = OperationClass::alu;
  work.instruction.type = DataType::b64;
  work.instruction.variant = static_cast<std::uint8_t>(known->function);
  std::vector<Work> result;
  std::vector<Work> after;
  // The last argument of an assertion, the width of its characters (one byte), is omitted.
  const auto taken = static_cast<unsigned>(std::min<std::size_t>(operands.arguments.size(), 4));
  for (unsigned i = 0; i < taken; ++i) {
    host_argument(operands.arguments[i], prototype.parameters[i], i, work, result);
  }
  if (!operands.results.empty()) host_result(operands.results[0], prototype.results[0], work, after);
  result.push_back(work);
  result.insert(result.end(), after.begin(), after.end());
  return result;
}

std::vector<Work> CallLowering::call(const SyntaxInstruction& syntax, Work work, const Function*& callee) {
  callee = nullptr;
  const CallOperands operands = call_operands(syntax);
  if (operands.callee == nullptr) {
    binder_.refuse(syntax.position, "this is no call", "write call (results), function, (arguments);");
  }
  const Symbol symbol = binder_.find(operands.callee->name);
  work.instruction.opcode = Opcode::call;
  work.instruction.operation_class = OperationClass::control;
  if (symbol.kind == Symbol::Kind::function) {
    if (symbol.function->entry) binder_.refuse(operands.callee->position, "a kernel cannot be called");
    if (!symbol.function->defined) return host_call(syntax, work, *symbol.function);
    callee = symbol.function;
    functions_.need(*callee);
  } else if (symbol.kind == Symbol::Kind::reg) {
    const DataType type = symbol.declaration->type;
    if (is_float(type) || bytes_of(type) < 4) {
      binder_.refuse(operands.callee->position, "a function pointer has 32 or 64 bits", "take it with mov.u64");
    }
    binder_.source(work, 0, *operands.callee, type);
    draft_.indirect_calls = true;
  } else if (symbol.kind == Symbol::Kind::none) {
    binder_.refuse_unknown(*operands.callee);
  } else {
    binder_.refuse(operands.callee->position, fmt::format("'{}' is no function", operands.callee->name));
  }
  const Prototype* prototype = prototype_of(syntax, binder_.scope(), function_, symbols_);
  if (prototype == nullptr) {
    binder_.refuse(syntax.position, "a call through a pointer names its .callprototype or .calltargets",
                   "write call (results), %register, (arguments), prototype;");
  }
  check_counts(syntax, operands, *prototype);
  binder_.place(work, true, 0, link());
  binder_.stack_pointer();

  const CallLayout layout = lay_out(*prototype);
  std::vector<Work> result;
  for (std::size_t i = 0; i < operands.arguments.size(); ++i) {
    copy_argument(operands.arguments[i], prototype->parameters[i], layout.parameters[i], result);
  }
  result.push_back(work);
  const std::size_t call_end = result.size();
  for (std::size_t i = 0; i < operands.results.size(); ++i) {
    copy_result(operands.results[i], prototype->results[i], layout.results[i], result);
  }
  // Lanes that did not execute the call keep their values.
  for (std::size_t i = call_end; i < result.size(); ++i) result[i] = guarded_like(work, result[i]);
  return result;
}

}  // namespace reconverge::kernel
