#pragma once
/// The profile of a launch as a table for the terminal.

#include <cstddef>
#include <cstdint>
#include <string>

#include "platforms/report/profile_reader.hpp"

namespace reconverge::cli {

/// What stands first.
enum class ProfileOrder : std::uint8_t {
  lost,    ///< lanes that were lost: those of lost issue slots, and those that executions left idle
  stalls,  ///< lost issue slots
  line     ///< as the program is written
};

struct ProfileView {
  ProfileOrder order = ProfileOrder::lost;
  std::size_t rows = 20;  ///< most instructions; 0: all
  bool source = false;    ///< with the text of source lines
};

/// A line for each instruction that executed or lost slots, below what the launch did in all.
std::string profile_text(const report::ProfiledLaunch& launch, const ProfileView& view);

}  // namespace reconverge::cli
