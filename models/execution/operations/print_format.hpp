// SPDX-License-Identifier: Apache-2.0
#pragma once
/// Formats a text as CUDA's printf does.

#include "models/execution/operations/lane_memory.hpp"

namespace reconverge::operations {

struct Printed {
  std::string text;
  std::uint32_t arguments = 0;  ///< that the format asked for
};

/// Arguments are consecutive at `arguments`, each at a multiple of its size: int, long long, double or address.
/// `address_bytes` is the size of addresses, and of long. As CUDA specifies, text that is not a conversion, and
/// everything after 32 arguments, is printed unchanged. Throws ExecutionError if format, arguments or strings are in no
/// memory.
Printed format_text(const LaneMemory& memory, DeviceAddress format, DeviceAddress arguments, unsigned address_bytes);

}  // namespace reconverge::operations
