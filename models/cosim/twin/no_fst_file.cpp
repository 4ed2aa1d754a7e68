// SPDX-License-Identifier: Apache-2.0
// For a build without Verilator or zlib, which the FST writer needs.

#include <stdexcept>

#include "models/cosim/twin/waves.hpp"

namespace reconverge::twin {

bool can_write_waves() { return false; }

std::string fst_of(const std::vector<SignalStream*>& /*streams*/) {
  throw std::logic_error("this build writes no waveforms");
}

}  // namespace reconverge::twin
