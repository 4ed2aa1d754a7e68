// SPDX-License-Identifier: Apache-2.0
#pragma once
/// Generates the PTX lines that read, write and pass on a thread's state.

#include <string>
#include <string_view>

#include "models/kernel/transform/microkernel_writer.hpp"

namespace reconverge::kernel {

/// `@p` or `@!p`.
struct Guard {
  std::string_view predicate;
  bool negated = false;

  std::string text(bool inverted = false) const;
};

/// Each function returns whole lines that begin with `indent`.
class StateText {
 public:
  StateText(const WrittenKernel& kernel, const MicrokernelPlan& plan);

  /// The additional parameter of kernels with local arrays in global memory.
  std::string parameter() const;
  /// .reg lines for the generated names.
  std::string declarations() const;
  /// Values that threads of the grid compute: the pointer to their state, and special registers that a child lacks.
  std::string grid_entry(const std::string& indent) const;
  /// Comment, label, pointer, loads, constants, and the label at which a warp continues.
  std::string microkernel_entry(std::uint32_t split, const std::string& indent) const;
  /// Stores, spawn and exit. If the edge allows it, a warp without divergence continues instead.
  std::string spawn(const SpawnEdge& edge, const std::string& indent) const;
  /// The same in place of a branch: threads for which `guard` holds take `taken`; the others take `other`, or continue
  /// if it is null. If a jump after the branch leads to `other`, no exit is written here: the exit replaces that jump.
  std::string spawn(const SpawnEdge& taken, const SpawnEdge* other, const Guard& guard,
                    const std::string& indent) const;

  /// Whether a special register is passed, and therefore has a register in the new kernel.
  bool passes(ValueId value) const;
  LocalRegisters local_registers() const;

 private:
  std::string line(const std::string& indent, std::string_view instruction) const;
  std::string stores(const ValueSet& values, const std::string& guard, const std::string& indent) const;
  std::string packed(const StateItem& word, const ValueSet& values, const std::string& indent) const;
  std::string unpacked(const StateItem& word, const ValueSet& values, const std::string& indent) const;
  std::string spawn_line(const SpawnEdge& edge, const std::string& guard, const std::string& indent) const;
  /// `%f1`, or `{%f1, %f2}`.
  std::string data_of(const StateAccess& access) const;
  std::string register_of(const StateItem& item) const;
  std::vector<ValueId> predicates_of(std::uint32_t word, const ValueSet& values) const;

  std::string arrays_entry(const std::string& indent) const;
  /// Records which lanes begin together.
  std::string beginning(const std::string& indent) const;
  /// A branch to the split point if `predicate` holds in all lanes that began together; empty if the edge does not
  /// allow it.
  std::string go_on(const SpawnEdge& edge, const std::string& predicate, const std::string& indent) const;
  std::string go_on(const SpawnEdge& taken, const SpawnEdge* other, const Guard& guard,
                    const std::string& indent) const;
  bool is_gone_on_at(std::uint32_t split) const;
  bool goes_back(const SpawnEdge& edge) const;
  std::string name(std::string_view what) const;

  const WrittenKernel& kernel_;
  const MicrokernelPlan& plan_;
  std::string state_;
};

}  // namespace reconverge::kernel
