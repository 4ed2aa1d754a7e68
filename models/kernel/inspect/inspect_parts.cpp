#include "models/kernel/inspect/inspect_parts.hpp"

#include <fmt/format.h>

#include "models/kernel/analysis/call_graph.hpp"

namespace reconverge::kernel {

std::string block_name(const Program& program, std::uint32_t block) {
  const std::string& label = program.blocks[block].label;
  return label.empty() ? fmt::format("B{}", block) : fmt::format("B{} {}", block, label);
}

std::string block_list(std::span<const std::uint32_t> blocks) {
  std::string text;
  for (const std::uint32_t block : blocks) text += fmt::format("{}B{}", text.empty() ? "" : " ", block);
  return text;
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
