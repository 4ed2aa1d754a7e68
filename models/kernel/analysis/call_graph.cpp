#include "models/kernel/analysis/call_graph.hpp"

#include <algorithm>

namespace reconverge::kernel {

namespace {

// Functions get their depth when all that they call have it; those on a circle, or above one, never do.
void measure_depth(const Program& program, CallGraph& graph) {
  const std::size_t count = program.functions.size();
  std::vector<std::vector<std::uint32_t>> callers(count);
  std::vector<std::size_t> unknown(count);
  std::vector<std::uint32_t> ready;
  for (std::uint32_t i = 0; i < count; ++i) {
    for (const std::uint32_t callee : graph.callees[i]) callers[callee].push_back(i);
    unknown[i] = graph.callees[i].size() + (graph.by_pointer[i] ? 1 : 0);
    if (unknown[i] == 0) ready.push_back(i);
  }
  graph.stack_bytes.resize(count);
  while (!ready.empty()) {
    const std::uint32_t function = ready.back();
    ready.pop_back();
    std::uint64_t below = 0;
    for (const std::uint32_t callee : graph.callees[function]) below = std::max(below, *graph.stack_bytes[callee]);
    graph.stack_bytes[function] = program.functions[function].frame_bytes + below;
    for (const std::uint32_t caller : callers[function]) {
      if (--unknown[caller] == 0) ready.push_back(caller);
    }
  }
}

}  // namespace

std::uint32_t function_of(const Program& program, Pc pc) {
  const auto after = std::upper_bound(program.functions.begin(), program.functions.end(), pc,
                                      [](Pc at, const FunctionRange& function) { return at < function.first; });
  return static_cast<std::uint32_t>(after - program.functions.begin() - 1);
}

CallGraph call_graph(const Program& program) {
  CallGraph graph;
  for (const FunctionRange& function : program.functions) {
    std::vector<std::uint32_t> callees;
    bool by_pointer = false;
    for (Pc pc = function.first; pc < function.end; ++pc) {
      const Instruction& instruction = program.instructions[pc];
      if (instruction.opcode != Opcode::call) continue;
      if (instruction.target == no_pc)
        by_pointer = true;
      else
        callees.push_back(function_of(program, instruction.target));
    }
    std::sort(callees.begin(), callees.end());
    callees.erase(std::unique(callees.begin(), callees.end()), callees.end());
    graph.callees.push_back(std::move(callees));
    graph.by_pointer.push_back(by_pointer);
  }
  measure_depth(program, graph);
  return graph;
}

}  // namespace reconverge::kernel
