// SPDX-License-Identifier: Apache-2.0
// Calls that compilers generate in executables: before `main`, they register the device code and its symbols.

#include <cstddef>
#include <cstdlib>
#include <exception>

#include "platforms/cuda/runtime/api.hpp"
#include "platforms/report/build_info.hpp"

namespace reconverge::cuda {

namespace {

/// The handle of a fat binary in compilers' code.
Module& module_of(void** handle) { return *reinterpret_cast<Module*>(handle); }

}  // namespace

extern "C" {

void** RECONVERGE_CUDA(__cudaRegisterFatBinary)(const void* fat_binary) {
  Process& state = process();
  const std::scoped_lock lock(state.mutex);
  return reinterpret_cast<void**>(&state.modules.add(fat_binary));
}

/// The host may use managed variables before its first call.
void RECONVERGE_CUDA(__cudaRegisterFatBinaryEnd)(void** /*handle*/) {
  Process& state = process();
  const std::scoped_lock lock(state.mutex);
  try {
    state.place_managed_variables();
  } catch (const std::exception& error) {
    complain(error.what());
    std::_Exit(2);
  }
}

/// The process ends, and the report still needs the module.
void RECONVERGE_CUDA(__cudaUnregisterFatBinary)(void** /*handle*/) {}

char RECONVERGE_CUDA(__cudaInitModule)(void** /*handle*/) { return 1; }

void RECONVERGE_CUDA(__cudaRegisterFunction)(void** handle, const char* host, char* /*device*/, const char* name,
                                             int /*thread_limit*/, void* /*tid*/, void* /*bid*/, void* /*block*/,
                                             void* /*grid*/, int* /*warp_size*/) {
  Process& state = process();
  const std::scoped_lock lock(state.mutex);
  state.modules.name_kernel(host, {&module_of(handle), name});
}

void RECONVERGE_CUDA(__cudaRegisterVar)(void** handle, char* host, char* /*device*/, const char* name, int /*external*/,
                                        std::size_t bytes, int /*constant*/, int /*global*/) {
  Process& state = process();
  const std::scoped_lock lock(state.mutex);
  const DeviceName variable{&module_of(handle), name, bytes};
  state.modules.name_variable(host, variable);
  auto* const place = reinterpret_cast<std::byte*>(host);
  if (state.modules.in_managed_section(place)) state.modules.name_managed({variable, place});
}

/// `pointer` is the host's variable through which nvcc's code accesses the memory.
void RECONVERGE_CUDA(__cudaRegisterManagedVar)(void** handle, void** pointer, char* /*device*/, const char* name,
                                               int /*external*/, std::size_t bytes, int /*constant*/, int /*global*/) {
  Process& state = process();
  const std::scoped_lock lock(state.mutex);
  const DeviceName variable{&module_of(handle), name, bytes};
  state.modules.name_variable(pointer, variable);
  state.modules.name_managed({variable, nullptr, pointer});
}

void RECONVERGE_CUDA(__cudaRegisterTexture)(void** handle, const textureReference* host, const void** /*device*/,
                                            const char* name, int /*dimensions*/, int normalized, int /*external*/) {
  Process& state = process();
  const std::scoped_lock lock(state.mutex);
  state.modules.name_texture(host, {&module_of(handle), name, 0, normalized != 0});
}

/// `reconverge build` writes a call into each object file, before all others. `begin` and `end`: the section of managed
/// variables, if there is one.
void RECONVERGE_CUDA(reconverge_built_by)(const char* version, std::byte* begin, std::byte* end) {
  if (version == report::build_info().version) {
    if (begin != end) process().modules.add_managed_section({begin, end});
    return;
  }
  complain(
      fmt::format("the program was built by reconverge {}, and this is the library of reconverge {}; build it again",
                  version, report::build_info().version));
  std::_Exit(2);
}

}  // extern "C"

}  // namespace reconverge::cuda
