// SPDX-License-Identifier: Apache-2.0
#pragma once
/// Checks that the page can show a report.json. docs/report.md describes the format.

#include "platforms/report/format/json_place.hpp"

namespace reconverge::page {

using report::JsonPlace;

/// Throws InputError for a document of another kind or a newer version, and if anything that the page shows has the
/// wrong type or length. Ignores keys that the page does not know.
void check_report(const JsonPlace& document);

}  // namespace reconverge::page
