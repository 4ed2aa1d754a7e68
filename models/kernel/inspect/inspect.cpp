// SPDX-License-Identifier: Apache-2.0
#include "models/kernel/inspect/inspect.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <vector>

#include "models/kernel/analysis/call_graph.hpp"
#include "models/kernel/analysis/control_flow.hpp"
#include "models/kernel/inspect/inspect_parts.hpp"

namespace reconverge::kernel {

namespace {

std::string successors_of(const Program& program, std::uint32_t block) {
  const std::vector<std::uint32_t>& successors = program.blocks[block].successors;
  if (!successors.empty()) return block_list(successors);
  const Opcode last = program.instructions[program.blocks[block].end - 1].opcode;
  return last == Opcode::ret ? "return" : "exit";
}

std::string meeting_of(const Program& program, std::uint32_t block) {
  const std::uint32_t meeting = program.blocks[block].immediate_postdominator;
  return meeting == BasicBlock::no_block ? std::string(end_of(program, block)) : block_name(program, meeting);
}

bool names_address(const Instruction& instruction) {
  switch (instruction.opcode) {
    case Opcode::ld:
    case Opcode::st:
    case Opcode::ld_param:
    case Opcode::atom:
    case Opcode::red:
      return true;
    default:
      return instruction.opcode == Opcode::extension && instruction.offset != 0;
  }
}

std::string escape(const std::string& text) {
  std::string result;
  for (const char c : text) {
    if (std::string("\"\\{}<>|").find(c) != std::string::npos) result += '\\';
    result += c;
  }
  return result;
}

}  // namespace

std::string to_string(const Operand& operand, bool wide) {
  if (!operand.present()) return "_";
  const unsigned row = operand.row();
  switch (operand.bank()) {
    case Bank::reg:
      return wide ? fmt::format("r[{}:{}]", row, row + 1) : fmt::format("r{}", row);
    case Bank::constant:
      return wide ? fmt::format("c[{}:{}]", row, row + 1) : fmt::format("c{}", row);
    case Bank::special:
      return std::string(name_of(static_cast<SpecialRow>(row)));
    case Bank::predicate:
      return fmt::format("p{}", row);
  }
  return "?";
}

std::string to_string(const Instruction& instruction) {
  std::string text;
  if (instruction.guard.present()) {
    text += fmt::format("@{}{} ", instruction.guard_negated ? "!" : "", to_string(instruction.guard, false));
  }
  text += name_of(instruction.opcode);
  if (instruction.type != DataType::none) text += fmt::format(".{}", name_of(instruction.type));
  if (instruction.source_type != DataType::none) text += fmt::format(".{}", name_of(instruction.source_type));
  for (unsigned i = 0; i < instruction.destination.size(); ++i) {
    if (!instruction.destination[i].present()) continue;
    text += ' ' + to_string(instruction.destination[i], instruction.wide_destination(i));
  }
  text += " <-";
  for (unsigned i = 0; i < instruction.source.size(); ++i) {
    if (!instruction.source[i].present()) continue;
    const bool negated = (instruction.negated_sources >> i & 1U) != 0;
    text += fmt::format(" {}{}", negated ? "!" : "", to_string(instruction.source[i], instruction.wide_source(i)));
  }
  if (text.ends_with(" <-")) text.resize(text.size() - 3);
  if (names_address(instruction)) {
    text += fmt::format(" {:+}", instruction.offset);
  }
  if (instruction.target != no_pc) {
    text += fmt::format(" -> {}{}", instruction.opcode == Opcode::brx ? "table " : "", instruction.target);
  }
  if (instruction.reconvergence != no_pc) text += fmt::format(" meet {}", instruction.reconvergence);
  return text;
}

std::string listing(const Program& program) {
  std::string text =
      fmt::format("{}: {} registers in {} rows, {} predicates, {} B parameters, {} B shared, {} B local{}\n",
                  program.name, program.registers, program.register_rows, program.predicates, program.parameter_bytes,
                  program.shared_bytes, program.local_bytes, program.deep_stack ? " and a stack" : "");
  text += by_function(program, "", [&](const FunctionRange& function) {
    std::string body;
    for (std::uint32_t i = 0; i < program.blocks.size(); ++i) {
      const BasicBlock& block = program.blocks[i];
      if (!is_in(function, block)) continue;
      body += fmt::format("{}: to {}, meets at {}\n", block_name(program, i), successors_of(program, i),
                          meeting_of(program, i));
      for (Pc pc = block.first; pc < block.end; ++pc) {
        fmt::format_to(std::back_inserter(body), "{:6}  {:<44}  {}\n", pc, to_string(program.instructions[pc]),
                       program.text[pc]);
      }
    }
    return body;
  });
  for (std::size_t i = 0; i < program.branch_tables.size(); ++i) {
    text += fmt::format("table {} = {}\n", i, fmt::join(program.branch_tables[i], " "));
  }
  std::vector<std::string> values;
  for (const Constant& constant : program.constants) values.push_back(fmt::format("{:#x}", constant.bits));
  for (const AddressConstant& reference : program.address_constants) {
    values[reference.constant] = fmt::format("{}{:+}", program.globals[reference.global].name, reference.addend);
  }
  for (std::size_t i = 0; i < program.constants.size(); ++i) {
    const Constant& constant = program.constants[i];
    text += fmt::format("{} = {}\n", to_string(Operand(Bank::constant, constant.row), constant.wide), values[i]);
  }
  return text;
}

std::string describe(const KernelParameter& parameter) {
  const bool is_array = parameter.bytes != bytes_of(parameter.type);
  return fmt::format("{} ({}.{}, {} bytes)", parameter.name,
                     is_array ? fmt::format(".align {} ", parameter.alignment) : "", name_of(parameter.type),
                     parameter.bytes);
}

std::string parameter_table(const Program& program) {
  std::string text =
      fmt::format("{}: {} parameters, {} bytes\n", program.name, program.parameters.size(), program.parameter_bytes);
  std::size_t longest = 0;
  for (const KernelParameter& parameter : program.parameters) longest = std::max(longest, parameter.name.size());
  for (std::size_t i = 0; i < program.parameters.size(); ++i) {
    const KernelParameter& parameter = program.parameters[i];
    text += fmt::format("{:4}  {:<{}}  .{:<6} {:5} bytes at {}\n", i, parameter.name, longest, name_of(parameter.type),
                        parameter.bytes, parameter.offset);
  }
  return text;
}

std::string functions_text(const Program& program) {
  const CallGraph graph = call_graph(program);
  std::size_t longest = 8;
  for (const FunctionRange& function : program.functions) longest = std::max(longest, function.name.size());
  std::string text = fmt::format("{}: {} B local memory a thread{}\n", program.name, program.local_bytes,
                                 program.deep_stack ? ", and the stack that the launch gives" : "");
  fmt::format_to(std::back_inserter(text), "{:<{}}  {:>11}  {:>7}  {:>9}  calls\n", "function", longest, "pc", "frame",
                 "stack");
  for (std::size_t i = 0; i < program.functions.size(); ++i) {
    const FunctionRange& function = program.functions[i];
    std::vector<std::string_view> calls;
    for (const std::uint32_t callee : graph.callees[i]) calls.push_back(program.functions[callee].name);
    if (graph.by_pointer[i]) calls.emplace_back("(by pointer)");
    fmt::format_to(std::back_inserter(text), "{:<{}}  {:>11}  {:>5} B  {:>9}  {}\n", function.name, longest,
                   fmt::format("{}-{}", function.first, function.end - 1), function.frame_bytes,
                   graph.stack_bytes[i] ? fmt::format("{} B", *graph.stack_bytes[i]) : "unbounded",
                   calls.empty() ? "nothing" : fmt::format("{}", fmt::join(calls, " ")));
  }
  return text;
}

std::string flow_text(const Program& program) {
  return by_function(program, "", [&](const FunctionRange& function) {
    std::string body;
    for (std::uint32_t i = 0; i < program.blocks.size(); ++i) {
      const BasicBlock& block = program.blocks[i];
      if (!is_in(function, block)) continue;
      body += fmt::format("{}: pc {}-{}, from {}, to {}, meets at {}\n", block_name(program, i), block.first,
                          block.end - 1, block.predecessors.empty() ? "entry" : block_list(block.predecessors),
                          successors_of(program, i), meeting_of(program, i));
    }
    return body;
  });
}

namespace {

std::string node(const Program& program, std::uint32_t index) {
  const BasicBlock& block = program.blocks[index];
  std::string text = fmt::format("  B{} [label=\"{}\\l", index, escape(block_name(program, index)));
  for (Pc pc = block.first; pc < block.end; ++pc) text += fmt::format("{} {}\\l", pc, escape(program.text[pc]));
  return text + "\"];\n";
}

std::string edges(const Program& program, std::uint32_t index) {
  const BasicBlock& block = program.blocks[index];
  std::string text;
  for (const std::uint32_t successor : block.successors) text += fmt::format("  B{} -> B{};\n", index, successor);
  if (block.successors.empty()) text += fmt::format("  B{} -> {};\n", index, successors_of(program, index));
  if (block.immediate_postdominator != BasicBlock::no_block) {
    text += fmt::format("  B{} -> B{} [style=dashed, constraint=false];\n", index, block.immediate_postdominator);
  }
  for (Pc pc = block.first; pc < block.end; ++pc) {
    const Instruction& instruction = program.instructions[pc];
    if (instruction.opcode != Opcode::call || instruction.target == no_pc) continue;
    text += fmt::format("  B{} -> B{} [style=dotted];\n", index, block_of(program.blocks, instruction.target));
  }
  return text;
}

}  // namespace

std::string flow_dot(const Program& program) {
  std::string text = fmt::format("digraph \"{}\" {{\n  node [shape=box, fontname=monospace];\n", escape(program.name));
  const bool several = program.functions.size() > 1;
  for (const FunctionRange& function : program.functions) {
    if (several) text += fmt::format("  subgraph \"cluster_{0}\" {{\n  label=\"{0}\";\n", escape(function.name));
    for (std::uint32_t i = 0; i < program.blocks.size(); ++i) {
      if (is_in(function, program.blocks[i])) text += node(program, i);
    }
    if (several) text += "  }\n";
  }
  text += fmt::format("  exit [shape=oval];\n{}", several ? "  return [shape=oval];\n" : "");
  for (std::uint32_t i = 0; i < program.blocks.size(); ++i) text += edges(program, i);
  return text + "}\n";
}

}  // namespace reconverge::kernel
