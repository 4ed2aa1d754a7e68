#pragma once
/// Figures and text from the counters of a machine for multi-pass partitioning.

#include <string>
#include <vector>

#include "platforms/report/figures.hpp"

namespace reconverge::report {

/// How many passes there were, and which share of them did no work.
void add_pass_figures(const Measurement& measurement, std::vector<Figure>& list);

/// For the terminal.
std::string pass_text(std::string_view name, const Measurement& measurement);

}  // namespace reconverge::report
