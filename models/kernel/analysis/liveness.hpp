// SPDX-License-Identifier: Apache-2.0
#pragma once
/// Finds the values that are live in a thread at each point of a program.
///
/// Registers are rows with an element for each lane, and predicates are lane masks; both are written under a mask. One
/// lane therefore never changes the values of another, and liveness along the paths of a single thread is correct for
/// the warp, regardless of divergence.

#include <boost/container/small_vector.hpp>
#include <boost/dynamic_bitset.hpp>
#include <cstddef>
#include <span>
#include <vector>

#include "models/kernel/draft.hpp"
#include "models/kernel/program.hpp"

namespace reconverge::kernel {

/// Values that one instruction reads and writes.
struct Accesses {
  boost::container::small_vector<ValueId, 6> uses;
  boost::container::small_vector<ValueId, 4> definitions;
  bool conditional = false;  ///< guarded: lanes that do not execute it keep the old values
};

/// A set of values, bit by ValueId.
using ValueSet = boost::dynamic_bitset<>;

/// Values live at the top and at the bottom of each block.
struct Liveness {
  std::vector<ValueSet> live_in;
  std::vector<ValueSet> live_out;
};

/// By pc, over the values of the draft.
std::vector<Accesses> accesses_of(const Draft& draft);

/// By pc, over rows: value r is register row r, value register_rows + p is predicate p.
std::vector<Accesses> accesses_of(const Program& program);

/// Backward data flow to the fixed point. `accesses` by pc; ids are below `values`.
Liveness compute_liveness(std::span<const BasicBlock> blocks, std::span<const Accesses> accesses, std::size_t values);

/// Turns `live`, the values live after an instruction, into the values live before it.
void step_back(const Accesses& accesses, ValueSet& live);

}  // namespace reconverge::kernel
