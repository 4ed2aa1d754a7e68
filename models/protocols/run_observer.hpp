#pragma once
/// Who listens to all launches of a machine, one after the other.

#include "models/execution/launch.hpp"
#include "models/protocols/observer.hpp"

namespace reconverge {

class RunObserver : public SmObserver {
 public:
  /// The launch begins in that cycle. Cycles are counted over all launches of the machine. It and its program stay
  /// until the run ends.
  virtual void launch_started(const Launch& launch, Cycle cycle) = 0;
  /// `end`: the first cycle that is not a part of it. What is on its way then is answered later.
  virtual void launch_ended(Cycle end) = 0;
};

}  // namespace reconverge
