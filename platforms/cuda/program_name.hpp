// SPDX-License-Identifier: Apache-2.0
#pragma once
/// The CUDA program that this process runs.

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

namespace reconverge::cuda {

inline std::filesystem::path program_path() { return std::filesystem::read_symlink("/proc/self/exe"); }

/// As given to the program, without its name.
inline std::vector<std::string> program_arguments() {
  std::ifstream file("/proc/self/cmdline");
  std::vector<std::string> arguments;
  for (std::string argument; std::getline(file, argument, '\0');) arguments.push_back(argument);
  if (!arguments.empty()) arguments.erase(arguments.begin());
  return arguments;
}

}  // namespace reconverge::cuda
