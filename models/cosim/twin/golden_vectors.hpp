// SPDX-License-Identifier: Apache-2.0
#pragma once
/// Golden vectors of a block: inputs and expected outputs of each cycle as text, for any simulator of its RTL.

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace reconverge::twin {

struct GoldenVectors {
  std::string block;                                              ///< its folder in rtl/ and its top module
  std::vector<std::pair<std::string, std::uint64_t>> parameters;  ///< of the top module
  std::string lines;      ///< one a cycle, fields in hexadecimal; the testbench names them in order
  std::string testbench;  ///< SystemVerilog; includes the parameters as parameters.svh
};

}  // namespace reconverge::twin
