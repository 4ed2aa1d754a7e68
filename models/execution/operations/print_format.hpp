#pragma once
/// What CUDA's printf makes of a format and its arguments.

#include "models/execution/operations/lane_memory.hpp"

namespace reconverge::operations {

struct Printed {
  std::string text;
  std::uint32_t arguments = 0;  ///< that the format asked for
};

/// Arguments lie one after the other at `arguments`, each at a multiple of its size: int, long long, double or address.
/// `address_bytes` is the size of the last, and of long. As CUDA says, what is no conversion, and what comes after 32
/// arguments, is printed as it stands. Throws ExecutionError when format, arguments or strings lie in no memory.
Printed format_text(const LaneMemory& memory, DeviceAddress format, DeviceAddress arguments, unsigned address_bytes);

}  // namespace reconverge::operations
