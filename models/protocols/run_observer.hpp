// SPDX-License-Identifier: Apache-2.0
#pragma once
/// An observer of all launches of a machine, in sequence.

#include "models/execution/launch.hpp"
#include "models/protocols/observer.hpp"

namespace reconverge {

class RunObserver : public SmObserver {
 public:
  /// The launch begins in that cycle. Cycles are counted over all launches of the machine. The launch and its program
  /// exist until the run ends.
  virtual void launch_started(const Launch& launch, Cycle cycle) = 0;
  /// `end`: the first cycle after the launch. Requests that are in flight then are answered later.
  virtual void launch_ended(Cycle end) = 0;
};

}  // namespace reconverge
