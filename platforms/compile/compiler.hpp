// SPDX-License-Identifier: Apache-2.0
#pragma once
/// PTX from CUDA C++ or OpenCL C, by a compiler on the user's machine: clang with the headers of `device/`, or nvcc.

#include <cstddef>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace reconverge::compile {

struct CompileOptions {
  std::string compiler;     ///< clang, nvcc, or the path of one; empty: the first one found
  std::string level = "2";  ///< optimisation level: 0, 1, 2 or 3
  std::vector<std::string> include_folders;
  std::vector<std::string> definitions;  ///< NAME or NAME=VALUE
  bool line_information = true;          ///< write `.loc`, so that profiles and messages name lines of the source
  bool is_cuda = false;                  ///< regardless of the source's name
  bool unroll = false;                   ///< unroll loops, like nvcc
  bool quiet = false;                    ///< the compiler's messages are in the InputError, not on standard error
  std::vector<std::string> more = {};    ///< further options of clang; the last of several standards of C++ counts
};

struct Compiled {
  bool stopped = false;  ///< by an interrupt; the text is then empty
  std::string compiler;  ///< the name it was called by
  std::string text;      ///< PTX for sm_75
};

/// Compiles for sm_75, the oldest machine that nvcc 13 supports. The compiler's messages go to standard error
/// unchanged, unless the options are `quiet`: then an InputError has the place and the text of the first error, and its
/// hint all messages. `interrupted` is polled while it runs. Throws InputError if the source cannot be read or does not
/// end in .cu or .cl, if no compiler is found, and if the compiler refuses the source.
Compiled compile(const std::filesystem::path& source, const CompileOptions& options,
                 const std::function<bool()>& interrupted);

/// The folder of our headers for clang. Throws InputError if they are missing.
std::filesystem::path device_headers();

/// Options with which clang reads CUDA C++ with our headers, for the device and for the host.
std::vector<std::string> clang_cuda_words();

/// The name of a clang. Throws InputError if there is none.
std::string find_clang();

/// `FILE:LINE` of the source of a line of PTX (counted from one), by the last .loc above it and without folders; empty
/// if there is none.
std::string source_line(const std::string& ptx, std::size_t line);

}  // namespace reconverge::compile
