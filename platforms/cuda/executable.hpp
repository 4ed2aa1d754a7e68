// SPDX-License-Identifier: Apache-2.0
#pragma once
/// Checks of a CUDA program's executable before it starts.

#include <filesystem>

namespace reconverge::cuda {

/// The file that a shell would run for `program`. Throws InputError if there is none, or if it may not be executed.
std::filesystem::path find_program(const std::string& program);

/// Throws InputError for an executable whose CUDA runtime is linked statically, and for one that has only machine code
/// for GPUs. Other files, such as scripts, may start CUDA programs later, which is not checked.
void check_executable(const std::filesystem::path& program);

}  // namespace reconverge::cuda
