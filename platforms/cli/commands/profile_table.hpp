// SPDX-License-Identifier: Apache-2.0
#pragma once
/// The profile of a launch as a table for the terminal.

#include <cstddef>
#include <cstdint>
#include <string>

#include "platforms/profile/profile_reader.hpp"

namespace reconverge::cli {

/// The sort order.
enum class ProfileOrder : std::uint8_t {
  lost,    ///< lost lanes: of lost issue slots, and idle lanes of executions
  stalls,  ///< lost issue slots
  line     ///< program order
};

struct ProfileView {
  ProfileOrder order = ProfileOrder::lost;
  std::size_t rows = 20;  ///< most instructions to show; 0: all
  bool source = false;    ///< show the text of source lines
};

/// The totals of the launch, then a line for each instruction that executed or lost slots.
std::string profile_text(const ProfiledLaunch& launch, const ProfileView& view);

}  // namespace reconverge::cli
