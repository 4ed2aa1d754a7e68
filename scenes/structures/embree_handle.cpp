// SPDX-License-Identifier: Apache-2.0
#include "scenes/structures/embree_handle.hpp"

#include <fmt/format.h>

#include <new>

#include "models/core/host_error.hpp"

namespace reconverge::scenes {

namespace {

void fail(RTCError error, std::string_view doing) {
  if (error == RTC_ERROR_OUT_OF_MEMORY) throw std::bad_alloc();
  throw HostError(fmt::format("Embree failed while {} (error {})", doing, static_cast<int>(error)));
}

}  // namespace

EmbreeDevice make_embree_device() {
  EmbreeDevice device(rtcNewDevice("threads=1,user_threads=1"), &rtcReleaseDevice);
  if (!device) fail(rtcGetDeviceError(nullptr), "looking for a device");
  return device;
}

void check(const EmbreeDevice& device, std::string_view doing) {
  if (const RTCError error = rtcGetDeviceError(device.get()); error != RTC_ERROR_NONE) fail(error, doing);
}

}  // namespace reconverge::scenes
