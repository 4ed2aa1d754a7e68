#pragma once
/* `reconverge build` includes this in host code: the library that the program runs with must be of the same version. */

extern "C" void reconverge_built_by(const char* version);

namespace {
[[maybe_unused]] const bool reconverge_version_is_known = (reconverge_built_by(RECONVERGE_VERSION), true);
}
// SPDX-License-Identifier: Apache-2.0
