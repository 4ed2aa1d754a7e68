#pragma once
/// Figures and text from a stream processor's counters.

#include <string>
#include <vector>

#include "platforms/report/figures.hpp"

namespace reconverge::report {

/// How full its passes were, and how much it moved to and from memory.
void add_stream_figures(const Measurement& measurement, std::vector<Figure>& list);

/// For the terminal.
std::string stream_text(std::string_view name, const Measurement& measurement);

}  // namespace reconverge::report
