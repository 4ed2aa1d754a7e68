#pragma once
/* `reconverge build` includes this in host code, so that the program's library is checked to have the same version. */

extern "C" void reconverge_built_by(const char* version, char* begin, char* end);

/* The linker's names for the section of managed variables; null if there is none. */
extern "C" __attribute__((weak, visibility("hidden"))) char __start_reconverge_managed[];
extern "C" __attribute__((weak, visibility("hidden"))) char __stop_reconverge_managed[];

namespace {
/* Before the device code of any source is registered. */
[[maybe_unused]] __attribute__((constructor(101))) void reconverge_say_version() {
  reconverge_built_by(RECONVERGE_VERSION, __start_reconverge_managed, __stop_reconverge_managed);
}
}  // namespace
// SPDX-License-Identifier: Apache-2.0
