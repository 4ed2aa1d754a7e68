// SPDX-License-Identifier: Apache-2.0
#pragma once
/// The interface of every fuzz target: a function that takes untrusted bytes. With clang, libFuzzer calls it; otherwise
/// replay.cpp calls it with every file of the corpora.

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "models/core/error.hpp"

/// The name that libFuzzer links to. Leaving it in any way but a return is a finding.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace reconverge::fuzz {

inline std::string text_of(const std::uint8_t* data, std::size_t size) {
  return {reinterpret_cast<const char*>(data), size};
}

/// Runs `action`; returns true if it succeeded. Only the project's two error types may be thrown.
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
