// SPDX-License-Identifier: Apache-2.0
#pragma once
/// Write errors, which GTKWave's code does not report.

namespace reconverge::twin {

/// Returns whether a write failed to a file that GTKWave closed in this thread since the last call.
bool take_write_error();

}  // namespace reconverge::twin
