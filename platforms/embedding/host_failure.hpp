// SPDX-License-Identifier: Apache-2.0
#pragma once
/// An exception as data, for languages that have other exceptions or none.

#include <cstdint>
#include <string>

#include "models/core/error.hpp"

namespace reconverge::embedding {

struct HostFailure {
  enum class Kind : std::uint8_t { input, execution, output, interrupted, internal };

  Kind kind = Kind::internal;
  std::string message;      ///< whole: with place and hint
  SourceLocation location;  ///< of a failed kernel, the line of its PTX
  std::string hint;
};

/// Of the exception that is being handled.
HostFailure failure_of_current_exception();

}  // namespace reconverge::embedding
