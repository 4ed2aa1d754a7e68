// SPDX-License-Identifier: Apache-2.0
#pragma once
/// Locks a folder, so that only one process at a time writes into it.

#include "platforms/report/descriptor.hpp"

namespace reconverge::report {

/// Locks the open folder itself (flock). The lock leaves no file and ends with the last copy of the descriptor, however
/// the process ends. Waits up to a second for another holder, as a killed process takes a moment to end; then throws
/// OutputError, with the holder's process number if the system tells it. On file systems without such locks, such as
/// some network file systems, the folder is not locked.
void lock_folder(const Descriptor& folder);

}  // namespace reconverge::report
