// SPDX-License-Identifier: Apache-2.0
#pragma once
/// What it takes to show the last cycles of an RTL: a state of it now and then, and what went in since.

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

  static constexpr std::size_t shown = 300;      ///< cycles of a waveform, the last included
  static constexpr std::size_t interval = 2048;  ///< from one saved state to the next

  /// Before each cycle.
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
    std::vector<Inputs> inputs;  // behind it
  };
  Part older_;
  Part newer_;
};

}  // namespace reconverge::twin
