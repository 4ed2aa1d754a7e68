// SPDX-License-Identifier: Apache-2.0
#pragma once
/// The lanes that participate in an exchange.

#include "models/execution/operations/operation.hpp"

namespace reconverge {

/// Whether lanes have to be together for `instruction`: votes, shuffles, matches, reductions, matrices,
/// bar.warp.sync.
bool is_exchange(const kernel::Instruction& instruction);

/// The operand that names its members; absent when the form names none.
kernel::Operand member_operand(const kernel::Instruction& instruction);

/// Whether it names its members (the .sync forms).
bool names_members(const kernel::Instruction& instruction);

/// Whether it is an exchange for all threads of the warp: it has no member mask, and does more than find out which
/// lanes are present.
bool is_for_whole_warp(const kernel::Instruction& instruction);

/// The members that `lane` names; all lanes when the form names none.
LaneMask members_of(const kernel::Instruction& instruction, const ExecutionContext& context, unsigned lane);

/// Throws ExecutionError if `lanes` of the path, which are about to execute `instruction`, name a lane that is live but
/// elsewhere: a machine whose lanes run together cannot bring it here.
void require_members(const kernel::Instruction& instruction, const ExecutionContext& context, LaneMask lanes);

}  // namespace reconverge
