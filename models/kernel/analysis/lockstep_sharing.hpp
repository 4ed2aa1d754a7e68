#pragma once
/// Shared memory by which threads of a warp exchange values with nothing but lockstep between them.

#include <vector>

#include "models/kernel/program.hpp"

namespace reconverge::kernel {

/// A warning for each load of shared memory that a store reaches, with no barrier of block or warp and no exchange of
/// lanes on the way, unless both go by one address register and the load is not volatile: a thread that reads there may
/// find what another of its warp has written, or will. That is right where lanes run in lockstep, and a race where
/// threads run alone, as on GPUs from Volta on. It may not be one: addresses are not compared further.
std::vector<Warning> lockstep_sharing(const Program& program);

}  // namespace reconverge::kernel
