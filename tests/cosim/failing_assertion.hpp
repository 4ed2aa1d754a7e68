// SPDX-License-Identifier: Apache-2.0
#pragma once
/// Which assertion of a block's RTL a run ends at. ASSERTIONS is their file.

#include <cstddef>
#include <fstream>
#include <regex>
#include <string>

#include "models/cosim/twin/lock_step_difference.hpp"

namespace reconverge::tests {

/// The name of the assertion that `run` fails, as its file has it in the line that the message says or above; "none".
template <typename Run>
std::string failing_assertion(const Run& run) {
  try {
    run();
  } catch (const RtlAssertion& assertion) {
    const std::string message = assertion.what();
    const auto line = std::stoul(message.substr(message.rfind(':') + 1));
    std::ifstream in(ASSERTIONS);
    std::string text;
    std::smatch found;
    std::string name;
    for (std::size_t number = 1; number <= line && std::getline(in, text); ++number) {
      if (std::regex_search(text, found, std::regex("^ *([a-z_]+) :"))) name = found[1];
    }
    return name;
  }
  return "none";
}

}  // namespace reconverge::tests
