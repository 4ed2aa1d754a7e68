// SPDX-License-Identifier: Apache-2.0
#pragma once
/// The page of a sweep: one self-contained HTML file.

#include <boost/json/value.hpp>
#include <map>
#include <string>
#include <string_view>

#include "platforms/page/sweep/sweep_results.hpp"

namespace reconverge::page {

/// What the program knows about a figure.
struct FigureMeaning {
  std::string unit;
  std::string text;
};
using FigureMeanings = std::map<std::string, FigureMeaning, std::less<>>;

/// The data for the page's script; platforms/page/README.md describes it.
boost::json::value sweep_data(const SweepResults& results, std::string_view title, const FigureMeanings& meanings = {});

/// The whole page. The same results give the same bytes.
std::string sweep_page(const SweepResults& results, std::string_view title, const FigureMeanings& meanings = {});

}  // namespace reconverge::page
