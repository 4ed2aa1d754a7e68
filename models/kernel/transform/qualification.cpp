// SPDX-License-Identifier: Apache-2.0
#include "models/kernel/transform/qualification.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "models/core/error.hpp"
#include "models/kernel/analysis/company.hpp"

namespace reconverge::kernel {

namespace {

constexpr std::string_view without_company =
    "a micro-kernel's threads come from any warp and block: let each thread work independently (as in a kernel with "
    "one thread per ray), or keep this kernel as it is";

bool is_fence(Opcode opcode) { return opcode == Opcode::membar; }

class Check {
 public:
  Check(const WrittenKernel& kernel, const PrintBuffers& buffers, bool moves_local)
      : kernel_(kernel), buffers_(buffers), moves_local_(moves_local) {}

  void run() {
    for (std::uint32_t i = 0; i < kernel_.function().instructions.size(); ++i) look_at(i);
  }

 private:
  void look_at(std::uint32_t index) {
    const Instruction& operation = kernel_.operations[index];
    const SyntaxInstruction& written = kernel_.written(index);
    scope_ = kernel_.scope_of(index);
    takes_local_ = moves_local_ || buffers_.touched[index];
    if (operation.opcode == Opcode::call) return look_at_call(written);
    if (operation.opcode == Opcode::bar)
      kernel_.refuse(written.position, fmt::format("{}: a barrier", written.mnemonic), without_company);
    if (operation.opcode == Opcode::mbarrier || written.mnemonic == "cp")
      kernel_.refuse(written.position, fmt::format("{}: the threads of a block work together here", written.mnemonic),
                     without_company);
    if (asks_for_lanes(operation))
      kernel_.refuse(written.position, fmt::format("{}: the lanes of a warp exchange values here", written.mnemonic),
                     without_company);
    if (std::find(written.modifiers.begin(), written.modifiers.end(), "b128") != written.modifiers.end())
      kernel_.refuse(written.position, "registers of 128 bits do not pass to the thread that is spawned",
                     "use two registers of 64 bits");
    if (!is_fence(operation.opcode) && operation.opcode != Opcode::isspacep) look_at_space(operation, written);
    for (const SyntaxOperand& operand : written.operands) look_at_names(operand, written);
  }

  void look_at_space(const Instruction& operation, const SyntaxInstruction& written) const {
    if (operation.space == Space::shared) refuse_shared(written);
    if (operation.space == Space::local && !takes_local_) refuse_local(written);
  }

  [[noreturn]] void refuse_shared(const SyntaxInstruction& written) const {
    kernel_.refuse(written.position, "shared memory: a micro-kernel's threads belong to no block",
                   "use global memory, or keep this kernel as it is");
  }

  [[noreturn]] void refuse_local(const SyntaxInstruction& written) const {
    kernel_.refuse(written.position, "local memory does not pass to the thread that is spawned",
                   "make the local arrays a part of the state (--local state), or put them into global memory (--local "
                   "global)");
  }

  void look_at_names(const SyntaxOperand& operand, const SyntaxInstruction& written) const {
    for (const SyntaxOperand& element : operand.elements) look_at_names(element, written);
    if (operand.name.empty()) return;
    const Symbol symbol = kernel_.find(operand.name, scope_);
    if (symbol.kind == Symbol::Kind::variable) {
      if (symbol.variable->space == Space::shared) refuse_shared(written);
      if (symbol.variable->space == Space::local && !takes_local_) refuse_local(written);
    }
    if (symbol.kind == Symbol::Kind::none) look_at_special(operand);
  }

  void look_at_special(const SyntaxOperand& operand) const {
    constexpr std::array<std::string_view, 3> places = {"%laneid", "%warpid", "%lanemask_"};
    constexpr std::array<std::string_view, 2> clocks = {"%clock", "%globaltimer"};
    const auto begins = [&](std::string_view stem) { return operand.name.starts_with(stem); };
    if (std::any_of(places.begin(), places.end(), begins)) {
      kernel_.refuse(operand.position,
                     fmt::format("{}: a spawned thread is in another warp, on another lane", operand.name),
                     "compute what is needed from %tid");
    }
    if (std::any_of(clocks.begin(), clocks.end(), begins)) {
      kernel_.refuse(operand.position, fmt::format("{}: micro-kernels change the timing", operand.name),
                     "leave the measurement out");
    }
  }

  void look_at_call(const SyntaxInstruction& written) const {
    for (const SyntaxOperand& operand : written.operands) {
      if (operand.kind != SyntaxOperand::Kind::name) continue;
      const Symbol symbol = kernel_.find(operand.name, scope_);
      // Host functions, such as printf, need no frame that outlives the call.
      if (symbol.kind == Symbol::Kind::function && !symbol.function->defined) return;
      break;
    }
    kernel_.refuse(written.position, "call: a stack does not pass to the thread that is spawned",
                   "inline the function (__forceinline__), or compile with optimisation");
  }

  const WrittenKernel& kernel_;
  const PrintBuffers& buffers_;
  bool moves_local_;  // local arrays are moved to memory that is passed on
  // The current instruction's properties.
  bool takes_local_ = false;
  std::uint32_t scope_ = 1;
};

bool speaks_of_spawning(const SyntaxInstruction& instruction) {
  const auto is_state = [](std::string_view modifier) { return modifier == "spawnMem"; };
  const auto names_state = [](const SyntaxOperand& operand) { return operand.name == "%spawnMemAddr"; };
  return instruction.mnemonic == "spawn" ||
         std::any_of(instruction.modifiers.begin(), instruction.modifiers.end(), is_state) ||
         std::any_of(instruction.operands.begin(), instruction.operands.end(), names_state);
}

}  // namespace

void refuse_spawning(const Module& module, const Function& function) {
  const auto found = std::find_if(function.instructions.begin(), function.instructions.end(), speaks_of_spawning);
  if (found == function.instructions.end()) return;
  throw InputError(locate(module.file, found->position),
                   fmt::format("the kernel '{}' spawns threads already", function.name),
                   "give the kernel that these micro-kernels were made of");
}

void refuse_what_cannot_spawn(const WrittenKernel& kernel, const PrintBuffers& buffers, bool moves_local) {
  Check(kernel, buffers, moves_local).run();
}

}  // namespace reconverge::kernel
