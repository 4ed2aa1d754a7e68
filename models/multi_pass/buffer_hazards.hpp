#pragma once
/// Which buffers a pass reads and which it writes: none may be both, as textures and render targets may not (Lashari
/// 2007, section 1).

#include <string>
#include <vector>

#include "models/execution/region_lanes.hpp"

namespace reconverge {

class BufferHazards {
 public:
  /// A pass begins. `where`: kernel and pass, for errors.
  void begin(const DeviceMemory& memory, std::string where);

  /// Lanes load or store. Throws ExecutionError where the other has been done to the same buffer in this pass. All of
  /// local memory is one.
  void note(const MemoryAccess& access, LaneMask lanes);

 private:
  void note(const Buffer& buffer, bool write);
  [[noreturn]] void fail(const Buffer& buffer) const;

  const DeviceMemory* memory_ = nullptr;
  std::string where_;
  Buffer local_{"local memory", 0, 0};
  std::vector<const Buffer*> read_;     // the one that was found last is behind the others
  std::vector<const Buffer*> written_;  // so is this
};

}  // namespace reconverge
