// SPDX-License-Identifier: Apache-2.0
#pragma once
/// Loops in which a thread may wait for another: they read what another thread may write concurrently, with an atomic
/// that returns a value, a strong load (volatile, relaxed, acquire, mmio) or a test of an mbarrier, or they call a
/// function of a program that does.

#include <vector>

#include "models/kernel/program.hpp"

namespace reconverge::kernel {

/// By pc: whether the branch there ends an iteration of such a loop, that is, has a back edge.
std::vector<bool> find_waiting_rounds(const Program& program);

}  // namespace reconverge::kernel
