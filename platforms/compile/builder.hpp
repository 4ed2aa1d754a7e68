// SPDX-License-Identifier: Apache-2.0
#pragma once
/// Builds CUDA programs with host and device code, with clang. Its command line is compatible with nvcc and other
/// compilers, so that a Makefile needs only a different compiler name.

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace reconverge::compile {

/// What to build, from the command line.
struct BuildPlan {
  std::vector<std::filesystem::path> sources;  ///< CUDA C++, C++ and C
  bool all_cuda = false;                       ///< by -x cu, whatever their names
  std::string output;                          ///< empty: the default of compilers
  bool objects_only = false;                   ///< -c
  std::vector<std::string> device;             ///< options for device code only
  std::vector<std::string> common;             ///< for all compilations
  std::vector<std::string> host;               ///< for host code only
  std::vector<std::string> link;               ///< libraries, objects and options, in order
};

/// Throws InputError for unsupported options that would change the program's behaviour.
BuildPlan read_build(const std::vector<std::string>& words);

struct BuildTools {
  std::filesystem::path library_folder;  ///< with libreconverge_cuda.so
  std::string version;                   ///< of this program, for the library's check
  /// Makes, from PTX, the data that the host code embeds.
  std::function<std::string(const std::string& ptx, const std::string& source)> embed;
  std::function<bool()> interrupted;
};

/// Returns false if it was interrupted. Messages of the compiler go to standard error. Throws InputError if it refuses.
bool build(const BuildPlan& plan, const BuildTools& tools);

}  // namespace reconverge::compile
