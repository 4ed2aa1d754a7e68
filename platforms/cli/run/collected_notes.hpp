// SPDX-License-Identifier: Apache-2.0
#pragma once
/// Footnotes of the table of several runs, read from their reports.

#include <filesystem>
#include <string>

#include "platforms/cli/run/several_plan.hpp"

namespace reconverge::cli {

/// Reads the notes of the report in the folder.
void read_notes(CollectedRow& row, const std::filesystem::path& folder);

/// For the terminal: one note for each subject, from the first run that has one.
std::string notes_text(const SeveralPlan& plan);

}  // namespace reconverge::cli
