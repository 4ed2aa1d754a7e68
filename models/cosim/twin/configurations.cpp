// SPDX-License-Identifier: Apache-2.0
#include "models/cosim/twin/configurations.hpp"

#include <fmt/format.h>

#include "models/core/error.hpp"

namespace reconverge::twin {

void refuse_rtl(const char* parameter, const char* option, std::string_view wanted, std::string_view built) {
  throw ParameterError(
      parameter, fmt::format("no RTL was built for {}; built were: {}", wanted, built.empty() ? "none" : built),
      fmt::format("take one of these, `model`, or another list (cmake -D{}=..., which needs Verilator)", option));
}

}  // namespace reconverge::twin
