#pragma once
/// What dynamic ray shuffling asks of the SM that it is in, of kernels and of launches.

#include "blocks/sm.hpp"
#include "models/execution/launch.hpp"
#include "models/kernel/program.hpp"

namespace reconverge {

/// Throws ParameterError when there are too many rows of rays, the swap buffers cannot be shared evenly, or the RTL
/// that is asked for was not built.
void check_rows_of_rays(const SmParameters& parameters);

/// A kernel with rdctrl needs the scheme, rays of its size, and registers for the rows that no warp has. Throws
/// InputError at the line of rdctrl.
void check_ray_registers(const kernel::Program& program, const SmParameters& parameters);

/// Every place of a row is a thread's. Throws InputError at the line of rdctrl when some warp has fewer threads.
void check_whole_warps(const Launch& launch);

}  // namespace reconverge
