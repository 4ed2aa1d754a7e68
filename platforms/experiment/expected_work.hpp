// SPDX-License-Identifier: Apache-2.0
#pragma once
/// The expected work of a ray stream, relative to other streams, so that progress can show the remaining time: rays of
/// later bounces take several times as long as camera rays.

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

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
  std::uint64_t places = 0;  ///< of the machine, for threads that the kernel creates; 0: it creates none
};

/// Expected work of a stream, in a unit that is the same for all streams: about one warp instruction.
struct StreamWork {
  double all = 0;             ///< 0: the kernel does not end without timing
  std::vector<double> until;  ///< shares of the work in the first n-th, two n-ths ... of the rays; empty: all are alike
  double thread_instructions = 0;  ///< expected, with any divergence scheme; 0: unknown
  double slots = 1;                ///< expected of the machine, for each warp instruction in `all`

  /// Share of the work in the first rays; `rays` is their share.
  double share(double rays) const;
  /// Share of the work after `executed` instructions of the stream. Unless its thread instructions are unknown, they
  /// say how much work is left: all rays may be in flight at once, and then the rays that are done say little.
  double share(double rays, const InstructionCounts& executed) const;
};

/// Executes the kernel for some rays of each stream, without timing, and counts instructions. Lanes that do not wait
/// for each other issue together only while they happen to be at the same instruction, most of all at first, but the
/// host's time for a stream still follows the warp instructions that they would need together.
///
/// A kernel that needs hardware for divergence cannot run without timing: the host traces its rays and counts steps of
/// traversal. Such hardware needs more steps than the mean ray, and fewer than the slowest ray of each warp: the
/// estimate is the geometric mean of both. These steps also say which rays of a stream are the work, for example those
/// below the sky.
///
/// If a kernel creates threads and the machine has more places than rays, warps of created threads start partial: a
/// step of all rays takes as many warp instructions as with a ray in each place.
class ExpectedWork {
 public:
  /// Refers to its arguments, which must outlive it.
  ExpectedWork(const Acceleration& acceleration, const TracedBy& kernel, const Platform& platform);

  /// Work for a pixel in a launch that shades it: warp instructions, as counted on the shipped scenes.
  static constexpr double of_shaded_pixel = 0.8;

  StreamWork of(std::span<const scenes::Ray> stream, bool shadow);

 private:
  InstructionCounts executed(std::span<const scenes::Ray> rays);
  StreamWork traced_on_host(std::span<const scenes::Ray> rays, bool shadow) const;

  const Acceleration& acceleration_;
  TracedBy kernel_;
  DeviceMemory memory_;
  std::unique_ptr<Machine> machine_;  // null: the kernel needs hardware
  Acceleration::OnDevice structure_;
};

}  // namespace reconverge
