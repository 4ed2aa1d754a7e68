// SPDX-License-Identifier: Apache-2.0
#include "platforms/host/installation.hpp"

namespace reconverge {

namespace {

std::filesystem::path from_program(const char* path) {
  return (std::filesystem::read_symlink("/proc/self/exe").parent_path() / path).lexically_normal();
}

}  // namespace

std::filesystem::path data_folder() { return from_program(RECONVERGE_DATA_FROM_PROGRAM); }

std::filesystem::path library_folder() { return from_program(RECONVERGE_LIBRARIES_FROM_PROGRAM); }

}  // namespace reconverge
