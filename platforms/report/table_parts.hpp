#pragma once
/// Parts of the tables for the terminal.

#include <cstdint>
#include <string>
#include <string_view>

#include "platforms/report/figures.hpp"

namespace reconverge::report {

/// With commas between groups of three digits.
std::string grouped(std::uint64_t count);
/// `81.2 %`.
std::string percent(double share);

/// Warp instructions by active lanes, as bars. `name` says of what.
void add_lanes(std::string& out, std::string_view name, const Measurement& measurement);
/// Issue slots by outcome, as bars.
void add_slots(std::string& out, std::string_view name, const Measurement& measurement);

}  // namespace reconverge::report
