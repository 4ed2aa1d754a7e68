#pragma once
/// Values that a micro-kernel computes again rather than gets passed: set once, from constants alone.

#include <cstdint>
#include <vector>

#include "models/kernel/transform/written_kernel.hpp"

namespace reconverge::kernel {

/// Which instruction sets a value that may be computed again anywhere behind it: a mov or cvta of constants, addresses
/// of variables and special registers that are the same in all threads; an ld.param of the kernel; an add of constants
/// to one of these.
class Rematerialisation {
 public:
  explicit Rematerialisation(const WrittenKernel& kernel);

  /// Whether the value holds the same at the top of `block` as where it is set, on every path.
  bool is_constant_at(ValueId value, std::uint32_t block) const;

  /// The instructions that compute these values again, in an order in which they do.
  std::vector<std::uint32_t> instructions_for(const ValueSet& values) const;

 private:
  static constexpr std::uint32_t none = no_pc;

  bool is_cheap(std::uint32_t instruction) const;
  bool dominates(std::uint32_t upper, std::uint32_t lower) const;
  bool comes_before(std::uint32_t first, std::uint32_t later) const;

  const WrittenKernel& kernel_;
  std::vector<std::uint32_t> dominator_;   // by block
  std::vector<std::uint32_t> definition_;  // by value: the instruction, or none
  std::vector<unsigned> steps_;            // by value: how many constants are behind one another
};

}  // namespace reconverge::kernel
