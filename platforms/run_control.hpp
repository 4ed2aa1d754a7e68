#pragma once
/// The caller's control of a run, in addition to the experiment itself.

#include "models/core/cycle.hpp"
#include "platforms/machine.hpp"
#include "platforms/machines/gpu/schemes.hpp"

namespace reconverge {

struct RunControl {
  SchemeList schemes = built_in_schemes();
  Cycle most_cycles = 0;        ///< of all launches together, after which the run is stopped; 0: no limit
  PrepareMachine prepare = {};  ///< called before the first launch
};

}  // namespace reconverge
