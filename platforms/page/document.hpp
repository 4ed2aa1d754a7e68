// SPDX-License-Identifier: Apache-2.0
#pragma once
/// The page: one self-contained HTML file.

#include <boost/json/value.hpp>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "platforms/page/run.hpp"
#include "platforms/page/template.hpp"
#include "platforms/report/lone_file.hpp"

namespace reconverge::page {

inline constexpr report::FileKind page_kind{"a page of Reconverge", R"(<meta name="generator" content="Reconverge">)"};

/// The data for the page's script; platforms/page/README.md describes it. Folders of runs below `folder`, the page's
/// folder, are given relative to it, and others by their last names; without `folder` they are unchanged.
boost::json::value page_data(const std::vector<Run>& runs, std::string_view title,
                             const std::filesystem::path& folder = {});

/// JSON for a script element: no character in it ends the element or begins markup.
std::string script_json(const boost::json::value& value);

/// A page of this title and data.
std::string html_page(const PageTemplate& parts, std::string_view title, const boost::json::value& data);

/// The whole page. The same runs give the same bytes.
std::string html_page(const std::vector<Run>& runs, std::string_view title, const std::filesystem::path& folder = {});

}  // namespace reconverge::page
