#pragma once
/// What is nobody's fault who wrote a program or a file.

#include <stdexcept>

namespace reconverge {

/// The host or one of its libraries failed, and no program and no input is to blame. Where memory ran out, that is
/// std::bad_alloc.
class HostError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace reconverge
