// SPDX-License-Identifier: Apache-2.0
#pragma once
/// The events before a difference: the stalls, results and selections in the last cycles with any.

#include <boost/circular_buffer.hpp>
#include <cstdint>
#include <optional>
#include <string>

#include "models/cosim/subwarp_interleaving/subwarp_values.hpp"

namespace reconverge {

class SubwarpHistory {
 public:
  void add(std::uint64_t cycle, const SubwarpInputs& inputs, const SubwarpOutputs& expected);
  /// Of one warp, or of all.
  std::string text(std::optional<unsigned> warp) const;

 private:
  struct Event {
    std::uint64_t cycle = 0;
    std::uint32_t warp = 0;
    const char* what = "";
    EntryMask entries = 0;
    unsigned number = 0;  ///< scoreboard or leader
  };
  boost::circular_buffer<Event> events_{64};
};

}  // namespace reconverge
