// SPDX-License-Identifier: Apache-2.0
#pragma once
/// What GTKWave's code does not tell.

namespace reconverge::twin {

/// Whether a file that it closed in this thread, since the last call, has not taken all that was written to it.
bool take_write_error();

}  // namespace reconverge::twin
