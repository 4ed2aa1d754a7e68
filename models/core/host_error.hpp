// SPDX-License-Identifier: Apache-2.0
#pragma once
/// Errors that are not the fault of a program or an input file.

#include <stdexcept>

namespace reconverge {

/// The host or one of its libraries failed, and neither a program nor an input is the cause. If memory is exhausted,
/// std::bad_alloc is thrown instead.
class HostError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace reconverge
