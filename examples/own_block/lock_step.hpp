// SPDX-License-Identifier: Apache-2.0
#pragma once
/// Model and RTL in lock step: both get the same inputs, and the first difference of their answers is an error.

#include <fmt/format.h>

#include <cstdint>
#include <string>

#include "models/core/error.hpp"
#include "rtl.hpp"

namespace own_block {

class LockStep {
 public:
  std::uint64_t decisions() const { return decisions_; }

  void reset() {
    model_.reset();
    rtl_.reset();
  }

  std::optional<unsigned> choose(const Waiting& waiting) {
    const std::optional<unsigned> of_model = model_.choose(waiting);
    const std::optional<unsigned> of_rtl = rtl_.choose(waiting);
    if (of_model != of_rtl) {
      throw reconverge::ExecutionError(
          fmt::format("own_block: decision {}: of paths with the lanes {:#x}, the model chooses {} and the RTL {}",
                      decisions_, fmt::join(waiting, ", "), text_of(of_model), text_of(of_rtl)));
    }
    ++decisions_;
    return of_model;
  }

 private:
  static std::string text_of(std::optional<unsigned> path) {
    return path ? fmt::format("path {}", *path) : std::string("none");
  }

  PathChoice model_;
  Rtl rtl_;
  std::uint64_t decisions_ = 0;
};

}  // namespace own_block
