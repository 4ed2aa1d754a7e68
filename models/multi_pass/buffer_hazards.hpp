// SPDX-License-Identifier: Apache-2.0
#pragma once
/// Tracks the buffers that a pass reads and writes. No buffer may be both, as with textures and render targets (Lashari
/// 2007, section 1).

#include <string>
#include <vector>

#include "models/execution/region_lanes.hpp"

namespace reconverge {

class BufferHazards {
 public:
  /// Begins a pass. `where`: kernel and pass, for errors.
  void begin(const DeviceMemory& memory, std::string where);

  /// Records a load or store. Throws ExecutionError if the pass has done the other to the same buffer. All of local
  /// memory counts as one buffer.
  void note(const MemoryAccess& access, LaneMask lanes);

 private:
  void note(const Buffer& buffer, bool write);
  [[noreturn]] void fail(const Buffer& buffer) const;

  const DeviceMemory* memory_ = nullptr;
  std::string where_;
  Buffer local_{"local memory", 0, 0};
  std::vector<const Buffer*> read_;     // the one found last is at the end
  std::vector<const Buffer*> written_;  // likewise
};

}  // namespace reconverge
