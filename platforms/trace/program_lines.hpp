#pragma once
/// The PTX of a program's instructions, as slices are called.

#include <map>
#include <string>
#include <vector>

#include "models/kernel/program.hpp"

namespace reconverge::trace {

class ProgramLines {
 public:
  /// By pc: the line of PTX, trimmed; where its file is not there, the name of the operation.
  const std::vector<std::string>& of(const kernel::Program& program);

 private:
  std::map<const kernel::Program*, std::vector<std::string>> known_;
};

}  // namespace reconverge::trace
