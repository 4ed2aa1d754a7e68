#pragma once
/// What a report.json must be for the page to show it. docs/report.md describes it.

#include "platforms/report/json_place.hpp"

namespace reconverge::page {

using report::JsonPlace;

/// Throws InputError for a document of another kind or a newer version, and where anything that the page shows has
/// another type or length than it should. Keys that the page does not know are left alone.
void check_report(const JsonPlace& document);

}  // namespace reconverge::page
