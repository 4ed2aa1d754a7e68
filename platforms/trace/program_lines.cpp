#include "platforms/trace/program_lines.hpp"

#include <fstream>

namespace reconverge::trace {

namespace {

std::string trimmed(const std::string& line) {
  constexpr const char* blank = " \t\r";
  const std::size_t first = line.find_first_not_of(blank);
  if (first == std::string::npos) return {};
  return line.substr(first, line.find_last_not_of(blank) - first + 1);
}

std::vector<std::string> lines_of(const std::string& file) {
  std::vector<std::string> lines;
  std::ifstream in(file);
  for (std::string line; std::getline(in, line);) lines.push_back(trimmed(line));
  return lines;
}

}  // namespace

const std::vector<std::string>& ProgramLines::of(const kernel::Program& program) {
  const auto [known, is_new] = known_.try_emplace(&program);
  if (!is_new) return known->second;
  const std::vector<std::string> lines = lines_of(program.file);
  for (const kernel::Instruction& instruction : program.instructions) {
    const bool there = instruction.line > 0 && instruction.line <= lines.size();
    known->second.push_back(there ? lines[instruction.line - 1] : std::string(name_of(instruction.opcode)));
  }
  return known->second;
}

}  // namespace reconverge::trace
