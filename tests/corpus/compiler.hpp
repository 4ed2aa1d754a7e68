// SPDX-License-Identifier: Apache-2.0
#pragma once
/// PTX of the corpus, compiled by clang 14 while the test runs.

#include <string>
#include <string_view>

namespace reconverge::tests {

/// Whether clang 14 is installed.
bool have_clang();

/// Options for clang, such as `-O2 -g`, and the target.
struct Compilation {
  std::string_view options;
  unsigned machine = 60;  ///< of sm_60
};

/// The PTX of testbenches/corpus/<name>.cu, or .cl. Throws std::runtime_error with clang's message if clang rejects it.
std::string ptx_of_cuda(std::string_view name, const Compilation& compilation);
std::string ptx_of_opencl(std::string_view name, const Compilation& compilation);

}  // namespace reconverge::tests
