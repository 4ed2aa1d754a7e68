// SPDX-License-Identifier: Apache-2.0
#pragma once
/// The values at the pins of dynamic ray shuffling in a cycle. Plain data, no SystemC.

#include <optional>

#include "models/schemes/dynamic_ray_shuffling/messages.hpp"
#include "models/schemes/dynamic_ray_shuffling/ray_rows.hpp"

namespace reconverge {

struct PinInputs {
  bool control_valid = false;  ///< only if ready; the same for a report
  std::size_t control_warp = 0;
  bool report_valid = false;
  std::size_t report_warp = 0;
  LaneMask report_lanes = 0;
  RayStates report_states;
  RegisterGrants grants;
  LaneWords read_words{};  ///< of a granted read
};

struct PinOutputs {
  bool control_ready = false;
  bool report_ready = false;
  bool answer_valid = false;
  RayControl answer;  ///< zeros unless valid
  bool idle = false;
  bool has_answer = false;
  std::optional<RegisterAccess> read;
  std::optional<RegisterAccess> write;
  LaneWords write_words{};  ///< of the lanes that are written
};

}  // namespace reconverge
