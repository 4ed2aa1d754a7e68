// SPDX-License-Identifier: Apache-2.0
#pragma once
/// Saves what a waveform of the last cycles needs: the RTL's state at intervals, and the inputs since a saved state.

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "models/cosim/twin/rtl.hpp"

namespace reconverge::twin {

template <typename Ports>
class Recorder {
 public:
  using Inputs = typename Ports::Inputs;

  static constexpr std::size_t shown = 300;      ///< cycles of a waveform, including the last
  static constexpr std::size_t interval = 2048;  ///< cycles from one saved state to the next

  /// Call before each cycle.
  void add(const Rtl<Ports>& rtl, const Inputs& inputs) {
    if (newer_.state.empty() || newer_.inputs.size() == interval) {
      std::swap(older_, newer_);
      newer_.state = rtl.save();
      newer_.inputs.clear();
    }
    newer_.inputs.push_back(inputs);
  }

  std::string waveform(const Rtl<Ports>& rtl) const {
    const bool enough = newer_.inputs.size() >= shown || older_.state.empty();
    std::vector<Inputs> inputs = enough ? std::vector<Inputs>() : older_.inputs;
    inputs.insert(inputs.end(), newer_.inputs.begin(), newer_.inputs.end());
    const std::size_t skipped = inputs.size() - std::min(inputs.size(), shown);
    return rtl.waveform(enough ? newer_.state : older_.state, inputs, skipped);
  }

 private:
  struct Part {
    RtlState state;
    std::vector<Inputs> inputs;  // since this state
  };
  Part older_;
  Part newer_;
};

}  // namespace reconverge::twin
