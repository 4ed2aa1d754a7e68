#pragma once
/// The page: one HTML file that needs nothing else.

#include <boost/json/value.hpp>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "platforms/page/run.hpp"
#include "platforms/report/lone_file.hpp"

namespace reconverge::page {

inline constexpr report::FileKind page_kind{"a page of Reconverge", R"(<meta name="generator" content="Reconverge">)"};

/// What the page's script reads; platforms/page/README.md describes it. Folders of runs below `folder`, that
/// of the page, are named from there, and others by their last names; without one they stay as they are.
boost::json::value page_data(const std::vector<Run>& runs, std::string_view title,
                             const std::filesystem::path& folder = {});

/// JSON that a script element can hold: no character of it ends the element or begins markup.
std::string script_json(const boost::json::value& value);

/// The whole page. The same runs give the same bytes.
std::string html_page(const std::vector<Run>& runs, std::string_view title, const std::filesystem::path& folder = {});

}  // namespace reconverge::page
