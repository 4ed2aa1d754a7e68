// SPDX-License-Identifier: Apache-2.0
#pragma once
/// What is at the pins of dynamic ray shuffling in a cycle. Plain data, no SystemC.

#include <array>
#include <optional>

#include "models/schemes/dynamic_ray_shuffling/messages.hpp"
#include "models/schemes/dynamic_ray_shuffling/ray_rows.hpp"

namespace reconverge {

struct PinInputs {
  bool control_valid = false;
  std::size_t control_warp = 0;
  bool report_valid = false;
  std::size_t report_warp = 0;
  LaneMask report_lanes = 0;
  RayStates report_states;
  RegisterGrants grants;
  std::array<LaneWords, shuffle_units> read_words{};  ///< of granted reads
};

struct PinOutputs {
  RayControl control;
  bool idle = false;
  bool has_answer = false;
  std::array<std::optional<RegisterAccess>, shuffle_units> read;
  std::array<std::optional<RegisterAccess>, shuffle_units> write;
  std::array<LaneWords, shuffle_units> write_words{};  ///< of the lanes that are written
};

}  // namespace reconverge
