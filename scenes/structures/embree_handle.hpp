#pragma once
/// Owners of Embree's reference-counted handles. Private to this library.

#include <embree3/rtcore.h>

#include <memory>
#include <string_view>
#include <type_traits>

namespace reconverge::scenes {

using EmbreeDevice = std::unique_ptr<std::remove_pointer_t<RTCDevice>, decltype(&rtcReleaseDevice)>;

/// A device that builds on the calling thread alone: a tree that several threads share out is not the same twice.
/// Throws HostError when the processor is too old for Embree.
EmbreeDevice make_embree_device();

/// Throws what the last error of the device stands for: std::bad_alloc or HostError. `doing`: what Embree was at.
void check(const EmbreeDevice& device, std::string_view doing);

}  // namespace reconverge::scenes
