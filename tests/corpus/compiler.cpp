// SPDX-License-Identifier: Apache-2.0
#include "tests/corpus/compiler.hpp"

#include <fmt/format.h>

#include <array>
#include <cstdio>
#include <memory>
#include <stdexcept>

namespace reconverge::tests {

namespace {

/// The output of a command, including errors. Throws if it fails.
std::string output_of(const std::string& command) {
  std::string text;
  FILE* const pipe = popen((command + " 2>&1").c_str(), "r");
  if (pipe == nullptr) throw std::runtime_error("cannot start " + command);
  std::array<char, 4096> part{};
  while (const std::size_t count = fread(part.data(), 1, part.size(), pipe)) text.append(part.data(), count);
  if (pclose(pipe) != 0) throw std::runtime_error(command + "\n" + text);
  return text;
}

std::string common_options(const Compilation& compilation) {
  // Targets from sm_60 on get a PTX version that has the .sync forms of warp operations.
  const std::string_view ptx = compilation.machine >= 60 ? "-Xclang -target-feature -Xclang +ptx64" : "";
  return fmt::format("{} -fno-crash-diagnostics -ffp-contract=off {} -I{} -S -o -", compilation.options, ptx,
                     RECONVERGE_SOURCE_DIR);
}

std::string source(std::string_view name, std::string_view extension) {
  return fmt::format("{}/testbenches/corpus/{}.{}", RECONVERGE_SOURCE_DIR, name, extension);
}

}  // namespace

bool have_clang() { return !std::string_view(RECONVERGE_CLANG14).empty(); }

std::string ptx_of_cuda(std::string_view name, const Compilation& compilation) {
  return output_of(
      fmt::format("{} -x cuda --cuda-device-only --cuda-gpu-arch=sm_{} -nocudainc -nocudalib --cuda-path=/nonexistent "
                  "-std=c++17 {} {}",
                  RECONVERGE_CLANG14, compilation.machine, common_options(compilation), source(name, "cu")));
}

std::string ptx_of_opencl(std::string_view name, const Compilation& compilation) {
  return output_of(
      fmt::format("{} -x cl -cl-std=CL1.2 -cl-no-stdinc -target nvptx64 -Xclang -target-cpu -Xclang sm_{} {} {}",
                  RECONVERGE_CLANG14, compilation.machine, common_options(compilation), source(name, "cl")));
}

}  // namespace reconverge::tests
