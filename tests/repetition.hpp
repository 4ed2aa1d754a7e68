#pragma once
/// How often tests repeat what they do. RECONVERGE_SHORT_TESTS asks for the short forms: continuous integration sets it
/// for the sanitizers (CMakePresets.json). docs/building.md says what each short form leaves out.

#include <cstdint>
#include <cstdlib>
#include <string>

namespace reconverge::tests {

/// The number that an environment variable gives, or `otherwise` without it.
inline std::uint64_t from_environment(const char* name, std::uint64_t otherwise) {
  const char* const value = std::getenv(name);
  return value == nullptr ? otherwise : std::stoull(value);
}

inline bool short_form() { return std::getenv("RECONVERGE_SHORT_TESTS") != nullptr; }

}  // namespace reconverge::tests
