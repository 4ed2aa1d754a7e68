// SPDX-License-Identifier: Apache-2.0
#pragma once
/// The judged claims of a page, and their text for the terminal.

#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "platforms/reproduction/document.hpp"
#include "platforms/reproduction/figures.hpp"

namespace reconverge::cli {

/// Numbers of claims.
using VerdictCounts = std::map<reproduction::Verdict, std::size_t>;

struct PageResult {
  std::string name;
  std::vector<reproduction::Document> documents;
  std::vector<std::vector<std::string>> rows;  ///< of the table of claims
  std::vector<std::string> causes;             ///< of claims that are outside
  VerdictCounts verdicts;
  bool exact_outside = false;  ///< a claim that does not depend on the scale, without a known cause
};

/// Leaves out claims that are never measured at the scale.
PageResult result_of(const reproduction::Page& page, const reproduction::Figures& figures, reproduction::Scale scale);

/// For each page its claims, their counts and the causes; at the end the counts of all pages, if there are several.
std::string text_of(std::span<const PageResult> results, std::string_view scale);

}  // namespace reconverge::cli
