// SPDX-License-Identifier: Apache-2.0
#include "platforms/cli/run/several_folders.hpp"

#include <string>

#include "platforms/cli/run/comparison_table.hpp"

namespace reconverge::cli {

namespace {

namespace fs = std::filesystem;

/// An existing file that is not such a table belongs to the user.
void check_table_place(const report::OutputFolder& folder, const std::string& name,
                       bool (*is_table)(std::string_view)) {
  const auto heading = folder.first_line(name);
  if (!heading || is_table(*heading)) return;
  throw report::OutputError(folder.path() / name,
                            "is there and is no table of runs; name another folder with --out, or replace it with "
                            "--force");
}

}  // namespace

SeveralFolders::SeveralFolders(const SeveralPlan& plan, bool force) {
  add(plan.folder);
  if (!force) check_table_place(tables(), plan.table_file().filename(), is_collected_csv);
  if (!force && plan.is_comparison()) check_table_place(tables(), plan.comparison_file().filename(), is_comparison_csv);
  for (const PlannedRun& run : plan.runs) add(fs::path(run.options.folder).parent_path());
  for (report::OutputFolder& each : folders_) each.try_out();
}

void SeveralFolders::add(const fs::path& folder) {
  for (const report::OutputFolder& each : folders_) {
    if (each.path() == folder.lexically_normal()) return;
  }
  folders_.emplace_front(folder);
}

}  // namespace reconverge::cli
