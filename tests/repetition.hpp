// SPDX-License-Identifier: Apache-2.0
#pragma once
/// How often tests repeat their work. RECONVERGE_SHORT_TESTS selects the short forms: continuous integration sets it
/// for the sanitizers (CMakePresets.json). docs/building.md says what each short form leaves out.

#include <cstdint>
#include <cstdlib>
#include <string>

namespace reconverge::tests {

/// The number in an environment variable, or `otherwise` if it is not set.
inline std::uint64_t from_environment(const char* name, std::uint64_t otherwise) {
  const char* const value = std::getenv(name);
  return value == nullptr ? otherwise : std::stoull(value);
}

inline bool short_form() { return std::getenv("RECONVERGE_SHORT_TESTS") != nullptr; }

}  // namespace reconverge::tests
