// SPDX-License-Identifier: Apache-2.0
#pragma once
/// An exception as data, for languages that have other exceptions or none.

#include <cstdint>
#include <exception>
#include <string>
#include <utility>

#include "models/core/error.hpp"

namespace reconverge::embedding {

struct HostFailure {
  enum class Kind : std::uint8_t { input, execution, output, interrupted, internal };

  Kind kind = Kind::internal;
  std::string message;      ///< whole: with place and hint
  SourceLocation location;  ///< of a failed kernel, the line of its PTX
  std::string hint;
};

/// The failure of another process.
class ForeignFailure : public std::exception {
 public:
  explicit ForeignFailure(HostFailure failure) : failure_(std::move(failure)) {}

  const char* what() const noexcept override { return failure_.message.c_str(); }
  const HostFailure& failure() const { return failure_; }

 private:
  HostFailure failure_;
};

/// Of the exception that is being handled.
HostFailure failure_of_current_exception();

}  // namespace reconverge::embedding
