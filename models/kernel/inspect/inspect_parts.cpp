// SPDX-License-Identifier: Apache-2.0
#include "models/kernel/inspect/inspect_parts.hpp"

#include <fmt/format.h>

#include <iterator>

#include "models/core/error.hpp"
#include "models/kernel/analysis/call_graph.hpp"

namespace reconverge::kernel {

std::string block_name(const Program& program, std::uint32_t block) {
  const std::string& label = program.blocks[block].label;
  return label.empty() ? fmt::format("B{}", block) : fmt::format("B{} {}", block, label);
}

std::string block_list(std::span<const std::uint32_t> blocks) {
  std::string text;
  for (const std::uint32_t block : blocks)
    fmt::format_to(std::back_inserter(text), "{}B{}", text.empty() ? "" : " ", block);
  return text;
}

LoopForest loops_to_list(const Program& program) {
  LoopForest forest = find_loops(program.blocks);
  std::uint64_t listed = 0;
  for (const LoopForest::Range& range : forest.ranges) listed += range.size;
  if (listed <= most_listed_blocks) return forest;
  const Loop& outermost = forest.loops.front();
  throw InputError({program.file, program.instructions[program.blocks[outermost.header].first].line, 0},
                   fmt::format("the loops are nested so deep that a list names {} blocks, and at most {} are listed",
                               listed, most_listed_blocks),
                   "nest less, or look at the graph: reconverge inspect cfg");
}

std::string_view end_of(const Program& program, std::uint32_t block) {
  return function_of(program, program.blocks[block].first) == 0 ? "exit" : "return";
}

std::string by_function(const Program& program, std::string_view nothing,
                        const std::function<std::string(const FunctionRange&)>& write) {
  std::string text;
  for (const FunctionRange& function : program.functions) {
    if (program.functions.size() > 1) text += fmt::format("{}:\n", function.name);
    const std::string body = write(function);
    text += body.empty() ? nothing : body;
  }
  return text;
}

}  // namespace reconverge::kernel
