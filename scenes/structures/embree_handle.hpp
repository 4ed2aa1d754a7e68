// SPDX-License-Identifier: Apache-2.0
#pragma once
/// Owners of Embree's reference-counted handles. Private to this library.

#include <embree3/rtcore.h>

#include <memory>
#include <string_view>
#include <type_traits>

namespace reconverge::scenes {

using EmbreeDevice = std::unique_ptr<std::remove_pointer_t<RTCDevice>, decltype(&rtcReleaseDevice)>;

/// A device that builds only on the calling thread, because builds with several threads are not reproducible. Throws
/// HostError if the processor is too old for Embree.
EmbreeDevice make_embree_device();

/// Throws std::bad_alloc or HostError for the last error of the device. `doing`: the operation, for the message.
void check(const EmbreeDevice& device, std::string_view doing);

}  // namespace reconverge::scenes
