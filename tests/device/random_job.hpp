// SPDX-License-Identifier: Apache-2.0
#pragma once
/// A random program as a launch for a GPU.

#include "testbenches/device/job.hpp"
#include "testbenches/random/program_tree.hpp"

namespace reconverge::tests {

/// Input, output and sums; the text has only defined results (`made_definite`). The job has no name.
device::Job random_job(const random_programs::Program& program);

}  // namespace reconverge::tests
