#include "models/kernel/call_lowering.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace reconverge::kernel {

namespace {

using Written = SyntaxOperand::Kind;

bool is_register(const VariableDeclaration& parameter) { return parameter.space != Space::param; }

SyntaxOperand name_of_register(const VariableDeclaration& parameter) {
  SyntaxOperand operand;
  operand.name = parameter.name;
  operand.position = parameter.position;
  return operand;
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
    if (!is_register(parameter)) continue;
    Work load = access(Opcode::ld, parameter.type, {frame_.incoming(parameter), false});
    binder_.destination(load, 0, name_of_register(parameter), parameter.type, OperandBinder::Fit::wider);
    result.push_back(load);
  }
  return result;
}

std::vector<Work> CallLowering::leave(Work work) {
  std::vector<Work> result;
  for (const VariableDeclaration& parameter : function_.prototype.results) {
    if (!is_register(parameter)) continue;
    Work store = access(Opcode::st, parameter.type, {frame_.incoming(parameter), false});
    binder_.source(store, 1, name_of_register(parameter), parameter.type, OperandBinder::Fit::wider);
    result.push_back(store);
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

void CallLowering::copy_argument(const SyntaxOperand& written, const VariableDeclaration& formal, std::uint32_t offset,
                                 std::vector<Work>& into) {
  const bool is_value = written.kind != Written::name || binder_.declared_type(written) != DataType::none;
  if (is_value) {
    Work store = access(Opcode::st, formal.type, {offset, true});
    binder_.source(store, 1, written, formal.type, OperandBinder::Fit::wider);
    into.push_back(store);
    return;
  }
  const FramePlace home = home_of(written, formal);
  if (!home.beyond) copy(home, {offset, true}, formal, into);
}

void CallLowering::copy_result(const SyntaxOperand& written, const VariableDeclaration& formal, std::uint32_t offset,
                               std::vector<Work>& into) {
  if (written.kind != Written::name) binder_.refuse(written.position, "a result goes to a register or .param variable");
  if (written.name == "_") return;
  if (binder_.declared_type(written) != DataType::none) {
    Work load = access(Opcode::ld, formal.type, {offset, true});
    binder_.destination(load, 0, written, formal.type, OperandBinder::Fit::wider);
    into.push_back(load);
    return;
  }
  const FramePlace home = home_of(written, formal);
  if (!home.beyond) copy({offset, true}, home, formal, into);
}

std::vector<Work> CallLowering::host_function(const SyntaxInstruction& syntax, Work work,
                                              const Function& function) const {
  // What an assertion that fails calls: the run stops there.
  if (function.name == "__assertfail" || function.name == "__assert_fail" || function.name == "abort") {
    work.instruction.opcode = Opcode::trap;
    return {work};
  }
  binder_.refuse(syntax.position, fmt::format("'{}' is called, but the module does not define it", function.name),
                 function.name == "vprintf" || function.name == "malloc" || function.name == "free"
                     ? "there is no host behind a kernel here: leave printf, malloc and free out"
                     : "link the modules (nvcc -dlink works on cubins; put the sources into one file), or inline it");
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
    if (!symbol.function->defined) return host_function(syntax, work, *symbol.function);
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
  for (std::size_t i = 0; i < operands.results.size(); ++i) {
    copy_result(operands.results[i], prototype->results[i], layout.results[i], result);
  }
  return result;
}

}  // namespace reconverge::kernel
