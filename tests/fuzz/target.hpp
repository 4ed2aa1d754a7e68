#pragma once
/// What every fuzz target is: a function that takes bytes from anywhere. With clang, libFuzzer calls it; elsewhere
/// replay.cpp calls it with every file of the corpora.

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "models/core/error.hpp"

/// The name that libFuzzer links to. Whatever leaves it but by return is a finding.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace reconverge::fuzz {

inline std::string text_of(const std::uint8_t* data, std::size_t size) {
  return {reinterpret_cast<const char*>(data), size};
}

/// Runs `action`; true when it went through. Only the two errors of the project may say no.
template <typename Action>
bool taken(Action&& action) {
  try {
    action();
    return true;
  } catch (const InputError&) {
  } catch (const ExecutionError&) {
  }
  return false;
}

/// Ends the process, so that a fuzzer keeps the input, unless `holds`.
void require(bool holds, const char* what);

}  // namespace reconverge::fuzz
