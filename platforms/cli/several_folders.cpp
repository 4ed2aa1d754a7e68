#include "platforms/cli/several_folders.hpp"

#include <fstream>
#include <string>
#include <system_error>
#include <vector>

#include "platforms/cli/comparison_table.hpp"

namespace reconverge::cli {

namespace {

namespace fs = std::filesystem;

/// A file that is there and no such table is somebody's own.
void check_table_place(const fs::path& file, bool (*is_table)(std::string_view)) {
  std::error_code ignored;
  if (!fs::exists(file, ignored)) return;
  std::ifstream in(file, std::ios::binary);
  std::string heading;
  std::getline(in, heading);
  if (is_table(heading)) return;
  throw report::OutputError(file,
                            "is there and is no table of runs; name another folder with --out, or replace it with "
                            "--force");
}

}  // namespace

SeveralFolders::SeveralFolders(const SeveralPlan& plan, bool force) {
  if (!force) check_table_place(plan.table_file(), is_collected_csv);
  if (!force && plan.is_comparison()) check_table_place(plan.comparison_file(), is_comparison_csv);
  add(plan.folder);
  for (const PlannedRun& run : plan.runs) add(fs::path(run.options.folder).parent_path());
}

void SeveralFolders::add(const fs::path& folder) {
  for (const report::OutputFolder& each : folders_) {
    if (each.path() == folder.lexically_normal()) return;
  }
  folders_.emplace_front(folder, std::vector<std::string>{}, true);
}

}  // namespace reconverge::cli
