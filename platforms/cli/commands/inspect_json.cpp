// SPDX-License-Identifier: Apache-2.0
#include "platforms/cli/commands/inspect_json.hpp"

#include <fmt/format.h>

#include "models/kernel/analysis/call_graph.hpp"
#include "models/kernel/inspect/inspect.hpp"

namespace reconverge::kernel {

namespace json = boost::json;

namespace {

json::array blocks_of(const Program& program) {
  json::array blocks;
  for (const BasicBlock& block : program.blocks) {
    blocks.push_back({{"block", blocks.size()},
                      {"label", block.label},
                      {"first", block.first},
                      {"end", block.end},
                      {"predecessors", json_numbers(block.predecessors)},
                      {"successors", json_numbers(block.successors)},
                      {"meets_at", json_unless(block.immediate_postdominator, BasicBlock::no_block)}});
  }
  return blocks;
}

json::array constants_of(const Program& program) {
  json::array constants;
  for (const Constant& constant : program.constants) {
    constants.push_back({{"operand", to_string(Operand(Bank::constant, constant.row), constant.wide)},
                         {"bits", fmt::format("{:#x}", constant.bits)},
                         {"variable", nullptr},
                         {"addend", nullptr}});
  }
  for (const AddressConstant& reference : program.address_constants) {
    json::object& constant = constants[reference.constant].as_object();
    constant["bits"] = nullptr;  // known once the variable has an address
    constant["variable"] = program.globals[reference.global].name;
    constant["addend"] = reference.addend;
  }
  return constants;
}

}  // namespace

json::object json_head(const Program& program) { return {{"file", program.file}, {"kernel", program.name}}; }

json::object program_json(const Program& program) {
  json::object document = json_head(program);
  document["registers"] = program.registers;
  document["register_rows"] = program.register_rows;
  document["predicates"] = program.predicates;
  document["parameter_bytes"] = program.parameter_bytes;
  document["shared_bytes"] = program.shared_bytes;
  document["local_bytes"] = program.local_bytes;
  document["deep_stack"] = program.deep_stack;
  document["blocks"] = blocks_of(program);
  json::array instructions;
  for (Pc pc = 0; pc < program.instructions.size(); ++pc) {
    const Instruction& instruction = program.instructions[pc];
    instructions.push_back({{"pc", pc},
                            {"decoded", to_string(instruction)},
                            {"ptx", program.text[pc]},
                            {"line", instruction.line},
                            {"meets_at", json_unless(instruction.reconvergence, no_pc)}});
  }
  document["instructions"] = std::move(instructions);
  json::array tables;
  for (const std::vector<Pc>& table : program.branch_tables) tables.push_back(json_numbers(table));
  document["branch_tables"] = std::move(tables);
  document["constants"] = constants_of(program);
  return document;
}

json::object functions_json(const Program& program) {
  const CallGraph graph = call_graph(program);
  json::object document = json_head(program);
  document["local_bytes"] = program.local_bytes;
  document["deep_stack"] = program.deep_stack;
  json::array functions;
  for (std::size_t i = 0; i < program.functions.size(); ++i) {
    const FunctionRange& function = program.functions[i];
    json::array calls;
    for (const std::uint32_t callee : graph.callees[i]) calls.emplace_back(program.functions[callee].name);
    const std::optional<std::uint64_t>& stack = graph.stack_bytes[i];
    functions.push_back({{"function", function.name},
                         {"first", function.first},
                         {"end", function.end},
                         {"frame_bytes", function.frame_bytes},
                         {"stack_bytes", stack ? json::value(*stack) : json::value(nullptr)},
                         {"calls", std::move(calls)},
                         {"calls_by_pointer", bool{graph.by_pointer[i]}}});
  }
  document["functions"] = std::move(functions);
  return document;
}

json::object flow_json(const Program& program) {
  json::object document = json_head(program);
  document["blocks"] = blocks_of(program);
  return document;
}

json::object occupancy_json(const Program& program, const OccupancyQuestion& question) {
  const std::uint64_t shared = program.shared_bytes + question.dynamic_shared_bytes;
  json::object document = json_head(program);
  document["registers"] = program.registers;
  document["shared_bytes"] = shared;
  document["started_by"] = question.unit == LaunchUnit::block ? "block" : "warp";
  document["declared_registers"] = json_unless(program.launch_bounds.maximum_registers, 0);
  document["declared_blocks"] = json_unless(program.launch_bounds.minimum_blocks, 0);
  json::array sizes;
  for (const std::uint32_t threads : question.block_sizes) {
    const Occupancy found = occupancy({program.registers, shared, threads}, question.limits, question.unit);
    sizes.push_back({{"block", threads},
                     {"blocks", found.blocks},
                     {"warps", found.warps},
                     {"threads", found.threads},
                     {"limit", name_of(found.limit)}});
  }
  document["block_sizes"] = std::move(sizes);
  return document;
}

json::object entry_json(const Program& program) {
  json::array parameters;
  for (const KernelParameter& parameter : program.parameters) {
    parameters.push_back({{"name", parameter.name},
                          {"type", name_of(parameter.type)},
                          {"bytes", parameter.bytes},
                          {"alignment", parameter.alignment},
                          {"offset", parameter.offset}});
  }
  return {{"kernel", program.name},
          {"parameter_bytes", program.parameter_bytes},
          {"parameters", std::move(parameters)},
          {"refused", nullptr}};
}

}  // namespace reconverge::kernel
