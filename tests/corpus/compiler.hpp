#pragma once
/// PTX of the corpus, made by clang 14 while the test runs.

#include <string>
#include <string_view>

namespace reconverge::tests {

/// Whether there is a clang 14 to run.
bool have_clang();

/// What clang shall do: `-O2 -g` and the like, and for which machine.
struct Compilation {
  std::string_view options;
  unsigned machine = 60;  ///< of sm_60
};

/// The PTX of testbenches/corpus/<name>.cu, or .cl. Throws std::runtime_error with clang's words when it refuses.
std::string ptx_of_cuda(std::string_view name, const Compilation& compilation);
std::string ptx_of_opencl(std::string_view name, const Compilation& compilation);

}  // namespace reconverge::tests
