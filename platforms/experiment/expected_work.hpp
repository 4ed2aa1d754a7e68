// SPDX-License-Identifier: Apache-2.0
#pragma once
/// The expected work of a ray stream, relative to other streams, so that progress can show the remaining time: rays of
/// later bounces take several times as long as camera rays.

#include <cstdint>
#include <memory>
#include <span>

#include "models/execution/device_memory.hpp"
#include "platforms/experiment/acceleration.hpp"
#include "platforms/machine.hpp"
#include "platforms/platform.hpp"
#include "scenes/device_layout.h"

namespace reconverge {

/// The tracing kernel, and the properties that determine its run time.
struct TracedBy {
  const kernel::Program& program;
  bool takes_rays = false;   ///< persistent threads
  bool lanes_alone = false;  ///< lanes of a warp do not wait for each other
  std::uint32_t block = 0;   ///< threads
};

/// Executes the kernel for some rays of each stream, without timing, and counts warp instructions, or thread
/// instructions if lanes do not wait for each other. A kernel that needs hardware for divergence cannot run without
/// timing: the host traces its rays and counts steps of traversal. Hardware that gives lanes new rays needs the steps
/// of the mean ray. For other hardware, the estimate is the geometric mean of this and of the slowest ray of each warp.
class ExpectedWork {
 public:
  /// Refers to its arguments, which must outlive it.
  ExpectedWork(const Acceleration& acceleration, const TracedBy& kernel, const Platform& platform);

  /// Work for a pixel in a launch that shades it, approximately as measured on the shipped machines and scenes.
  static constexpr double of_shaded_pixel = 1.5;

  /// Of a whole stream; 0 if the kernel does not end without timing. In a unit that is the same for all streams: about
  /// one warp instruction.
  double of(std::span<const scenes::Ray> stream, bool shadow);

 private:
  double executed(std::span<const scenes::Ray> rays);
  double traced_on_host(std::span<const scenes::Ray> rays, bool shadow) const;

  const Acceleration& acceleration_;
  TracedBy kernel_;
  DeviceMemory memory_;
  std::unique_ptr<Machine> machine_;  // null: the kernel needs hardware
  Acceleration::OnDevice structure_;
};

}  // namespace reconverge
