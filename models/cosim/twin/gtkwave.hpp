// SPDX-License-Identifier: Apache-2.0
#pragma once
/// Write errors, which GTKWave's code does not report.

namespace reconverge::twin {

/// Whether a write failed in a file that GTKWave's code closed in this thread since the last call.
bool take_write_error();

}  // namespace reconverge::twin
