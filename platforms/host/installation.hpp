// SPDX-License-Identifier: Apache-2.0
#pragma once
/// The locations of the program's files. Relative to the program, they are the same in a build folder and in an
/// installation.

#include <filesystem>

namespace reconverge {

/// With `device/`, the headers for clang, and `yaml/`, the shipped files.
std::filesystem::path data_folder();

/// With the library that CUDA programs run with.
std::filesystem::path library_folder();

}  // namespace reconverge
