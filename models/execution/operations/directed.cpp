// SPDX-License-Identifier: Apache-2.0
#include "models/execution/operations/arithmetic.hpp"
#include "models/execution/operations/rounding.hpp"

// Arithmetic on f32 and f64 rounded to zero, down and up. Compiled with -frounding-math.

namespace reconverge::operations {

namespace {

/// A separate type in this file: its loops, compiled for every rounding mode, are not merged with those of float.cpp.
template <typename F>
struct InAnyMode : F {
  using F::operator();
};

struct Directed {
  template <typename F, typename T, std::size_t Sources>
  static constexpr Operation of() {
    return &in_rounding_mode<same_type<InAnyMode<F>, T, Sources>()>;
  }
  template <typename F, typename H, std::size_t Sources>
  static constexpr Operation mixed() {
    return &in_rounding_mode<mixed_types<InAnyMode<F>, H, Sources>()>;
  }
};

}  // namespace

Operation select_directed(const Instruction& instruction) { return select_rounded<Directed>(instruction); }

}  // namespace reconverge::operations
