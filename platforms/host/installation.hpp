// SPDX-License-Identifier: Apache-2.0
#pragma once
/// The locations of the program's files. Relative to the program, they are the same in a build folder and in an
/// installation.

#include <filesystem>

namespace reconverge {

/// For a library that another program loads: the folder in which the program `reconverge` would be, in the same build
/// or installation. Without it, the running program is taken for `reconverge`.
void set_program_folder(const std::filesystem::path& folder);

/// With `device/`, the headers for clang, and the shipped files: `yaml/` and `platforms/kernels/`.
std::filesystem::path data_folder();

/// With the library that CUDA programs run with.
std::filesystem::path library_folder();

}  // namespace reconverge
