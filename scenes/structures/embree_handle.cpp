#include "scenes/structures/embree_handle.hpp"

#include <fmt/format.h>

#include "models/core/error.hpp"

namespace reconverge::scenes {

EmbreeDevice make_embree_device() {
  EmbreeDevice device(rtcNewDevice("threads=1,user_threads=1"), &rtcReleaseDevice);
  if (!device) {
    throw ExecutionError(
        fmt::format("Embree found no device (error {})", static_cast<int>(rtcGetDeviceError(nullptr))));
  }
  return device;
}

}  // namespace reconverge::scenes
