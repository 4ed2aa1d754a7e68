#pragma once
/// Errors that GTKWave's code does not report.

namespace reconverge::twin {

/// Whether a file that it closed in this thread, since the last call, could not be written completely.
bool take_write_error();

}  // namespace reconverge::twin
