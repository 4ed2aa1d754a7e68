// SPDX-License-Identifier: Apache-2.0
#include "models/kernel/analysis/call_graph.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "models/core/error.hpp"

namespace reconverge::kernel {

namespace {

// A function gets its depth when all of its callees have one; functions on a cycle, or above one, never get one.
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

constexpr std::uint64_t unreachable = ~std::uint64_t{0};

/// For each function, the smallest number of bytes of local memory over all call paths from `start` to it, including
/// the frames of both.
std::vector<std::uint64_t> fewest_bytes(const Program& program, const CallGraph& graph, std::uint32_t start) {
  std::vector<std::uint64_t> bytes(program.functions.size(), unreachable);
  bytes[start] = program.functions[start].frame_bytes;
  for (std::vector<std::uint32_t> open{start}; !open.empty();) {
    const std::uint32_t caller = open.back();
    open.pop_back();
    for (const std::uint32_t callee : graph.callees[caller]) {
      const std::uint64_t with = bytes[caller] + program.functions[callee].frame_bytes;
      if (with >= bytes[callee]) continue;
      bytes[callee] = with;
      open.push_back(callee);
    }
  }
  return bytes;
}

}  // namespace

void check_stack(const Program& program, std::uint64_t bytes) {
  if (!program.deep_stack) return;
  const CallGraph graph = call_graph(program);
  const std::vector<std::uint64_t> first = fewest_bytes(program, graph, 0);
  std::uint64_t needed = unreachable;
  std::uint32_t repeated = 0;
  for (std::uint32_t function = 0; function < program.functions.size(); ++function) {
    if (first[function] == unreachable) continue;
    const std::vector<std::uint64_t> again = fewest_bytes(program, graph, function);
    for (std::uint32_t caller = 0; caller < program.functions.size(); ++caller) {
      const std::vector<std::uint32_t>& callees = graph.callees[caller];
      if (again[caller] == unreachable || !std::binary_search(callees.begin(), callees.end(), function)) continue;
      if (first[function] + again[caller] >= needed) continue;
      needed = first[function] + again[caller];
      repeated = function;
    }
  }
  if (needed == unreachable || needed <= program.local_bytes + bytes) return;
  throw InputError(
      {program.file, 0, 0},
      fmt::format("a stack of {} bytes has no room for a call of '{}' within another, which takes {} bytes", bytes,
                  program.functions[repeated].name, needed - program.local_bytes),
      "set `stack` to the bytes of the deepest nesting of calls");
}

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
