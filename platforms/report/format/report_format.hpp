// SPDX-License-Identifier: Apache-2.0
#pragma once
/// The `format` and `schema_version` of the JSON files of a report. docs/report.md describes the files.

#include <string_view>

#include "platforms/report/format/json_place.hpp"

namespace reconverge::report {

/// Increased when a reader of the files would have to change; readers read this and earlier versions
/// (docs/stability.md).
inline constexpr int schema_version = 1;

/// The `format` of a report of a run that traces rays.
inline constexpr std::string_view ray_report_format = "reconverge report";

/// The `format` of a report of launches.
inline constexpr std::string_view launch_report_format = "reconverge launch report";

/// The `format` of a manifest.
inline constexpr std::string_view manifest_format = "reconverge manifest";

/// Whether a document is a report of a run that traces rays; if not, it is a report of launches. Throws InputError for
/// any other document, and for a newer `schema_version`.
bool is_ray_report(const JsonPlace& document);

}  // namespace reconverge::report
