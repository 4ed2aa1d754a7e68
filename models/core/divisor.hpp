// SPDX-License-Identifier: Apache-2.0
#pragma once
/// Fast repeated division by a number that is known only at run time.

#include <cstdint>

namespace reconverge {

class Divisor {
 public:
  explicit Divisor(std::uint64_t divisor) : divisor_(divisor), reciprocal_(~std::uint64_t{0} / divisor) {}

  std::uint64_t divisor() const { return divisor_; }

  struct Result {
    std::uint64_t quotient;
    std::uint64_t rest;
  };
  Result divide(std::uint64_t number) const {
    // The reciprocal is rounded down, by less than 2^-64 of itself: the quotient is correct or one too small.
    __extension__ using Wide = unsigned __int128;
    const auto quotient = static_cast<std::uint64_t>(static_cast<Wide>(number) * reciprocal_ >> 64U);
    const std::uint64_t rest = number - quotient * divisor_;
    return rest < divisor_ ? Result{quotient, rest} : Result{quotient + 1, rest - divisor_};
  }

 private:
  std::uint64_t divisor_;
  std::uint64_t reciprocal_;
};

}  // namespace reconverge
