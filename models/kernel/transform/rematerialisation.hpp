// SPDX-License-Identifier: Apache-2.0
#pragma once
/// Values that a micro-kernel recomputes instead of receiving them: set once, only from constants.

#include <cstdint>
#include <vector>

#include "models/kernel/transform/written_kernel.hpp"

namespace reconverge::kernel {

/// Finds the instruction that sets a value which may be recomputed anywhere after it: a mov or cvta of constants,
/// addresses of variables and special registers that are the same in all threads; an ld.param of the kernel; an add of
/// constants to one of these.
class Rematerialisation {
 public:
  explicit Rematerialisation(const WrittenKernel& kernel);

  /// Whether the value at the top of `block` equals the value at its definition, on every path.
  bool is_constant_at(ValueId value, std::uint32_t block) const;

  /// The instructions that recompute these values, in order of dependency.
  std::vector<std::uint32_t> instructions_for(const ValueSet& values) const;

 private:
  static constexpr std::uint32_t none = no_pc;

  bool is_cheap(std::uint32_t instruction) const;
  bool dominates(std::uint32_t upper, std::uint32_t lower) const;
  bool comes_before(std::uint32_t first, std::uint32_t later) const;

  const WrittenKernel& kernel_;
  std::vector<std::uint32_t> dominator_;   // by block
  std::vector<std::uint32_t> definition_;  // by value: the instruction, or none
  std::vector<unsigned> steps_;            // by value: length of its chain of constants
};

}  // namespace reconverge::kernel
