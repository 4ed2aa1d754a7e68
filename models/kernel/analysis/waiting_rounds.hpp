#pragma once
/// Loops in which a thread may wait for another: they read what another thread may write meanwhile, by an atomic that
/// gives a value, a strong load (volatile, relaxed, acquire, mmio) or a test of an mbarrier, or they call a function of
/// a program that does.

#include <vector>

#include "models/kernel/program.hpp"

namespace reconverge::kernel {

/// By pc: whether the branch there ends a round of such a loop, which is to say that an edge of it goes back.
std::vector<bool> find_waiting_rounds(const Program& program);

}  // namespace reconverge::kernel
