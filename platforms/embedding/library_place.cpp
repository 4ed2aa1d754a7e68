// SPDX-License-Identifier: Apache-2.0
#include "platforms/embedding/library_place.hpp"

#include <dlfcn.h>

#include <cstdlib>
#include <filesystem>

#include "platforms/host/installation.hpp"

namespace reconverge::embedding {

void prepare_process(const void* symbol, const char* program_from_library) {
  setenv("SYSTEMC_DISABLE_COPYRIGHT_MESSAGE", "DISABLE", 0);
  Dl_info library{};
  if (dladdr(symbol, &library) == 0 || library.dli_fname == nullptr) return;
  const std::filesystem::path folder = std::filesystem::canonical(library.dli_fname).parent_path();
  set_program_folder((folder / program_from_library).lexically_normal());
}

}  // namespace reconverge::embedding
