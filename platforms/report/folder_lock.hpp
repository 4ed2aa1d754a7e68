#pragma once
/// Who writes into a folder: one at a time.

#include "platforms/report/descriptor.hpp"

namespace reconverge::report {

/// Locks the open folder itself (flock), which leaves nothing in it and ends with the process that holds it, however
/// that ends: with the descriptor's last copy. Waits up to a second for another holder, as one that was killed takes
/// a moment to go; then throws OutputError, with the number of the process where the system tells it. Where the file
/// system has no such locks, as some in networks, there is none.
void lock_folder(const Descriptor& folder);

}  // namespace reconverge::report
