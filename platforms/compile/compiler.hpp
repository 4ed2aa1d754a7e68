#pragma once
/// PTX of CUDA C++ or OpenCL C, by a compiler of the user's machine: clang with the headers of `device/`, or nvcc.

#include <cstddef>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace reconverge::compile {

struct CompileOptions {
  std::string compiler;     ///< clang, nvcc, or the path of one; empty: the first that is there
  std::string level = "2";  ///< of optimisation: 0, 1, 2 or 3
  std::vector<std::string> include_folders;
  std::vector<std::string> definitions;  ///< NAME or NAME=VALUE
  bool line_information = true;          ///< `.loc`, so that profiles and messages name lines of the source
};

struct Compiled {
  bool stopped = false;  ///< by an interrupt; there is no text then
  std::string compiler;  ///< as it was called
  std::string text;      ///< PTX for sm_75
};

/// Compiles for sm_75, the oldest machine that nvcc 13 knows. What the compiler complains of
/// goes to standard error as it is. `interrupted` is asked while it runs. Throws InputError when the source cannot be
/// read or has another ending than .cu or .cl, when no compiler is there, and when the compiler refuses the source.
Compiled compile(const std::filesystem::path& source, const CompileOptions& options,
                 const std::function<bool()>& interrupted);

/// `FILE:LINE` of the source behind a line of PTX (from one), by the last .loc above it and without folders; empty
/// where there is none.
std::string source_line(const std::string& ptx, std::size_t line);

}  // namespace reconverge::compile
