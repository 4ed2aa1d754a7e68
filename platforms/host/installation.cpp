// SPDX-License-Identifier: Apache-2.0
#include "platforms/host/installation.hpp"

namespace reconverge {

namespace {

std::filesystem::path& given_folder() {
  static std::filesystem::path folder;
  return folder;
}

std::filesystem::path from_program(const char* path) {
  const std::filesystem::path& given = given_folder();
  const std::filesystem::path folder =
      given.empty() ? std::filesystem::read_symlink("/proc/self/exe").parent_path() : given;
  return (folder / path).lexically_normal();
}

}  // namespace

void set_program_folder(const std::filesystem::path& folder) { given_folder() = folder; }

std::filesystem::path data_folder() { return from_program(RECONVERGE_DATA_FROM_PROGRAM); }

std::filesystem::path library_folder() { return from_program(RECONVERGE_LIBRARIES_FROM_PROGRAM); }

}  // namespace reconverge
