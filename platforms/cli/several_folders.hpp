#pragma once
/// The places that several runs have in common.

#include <filesystem>
#include <list>

#include "platforms/cli/several_plan.hpp"
#include "platforms/report/output_folder.hpp"

namespace reconverge::cli {

/// The folders in which those of the runs lie. They are there as long as this lives, so that no run takes one away that
/// another is about to use, and no other program writes into them; then those that it made and that stayed empty are
/// gone.
class SeveralFolders {
 public:
  /// Throws OutputError for a folder that cannot be written, and for a file of somebody's own in the table's place,
  /// unless `force` replaces it.
  SeveralFolders(const SeveralPlan& plan, bool force);

  /// The folder of the tables.
  report::OutputFolder& tables() { return folders_.back(); }

 private:
  void add(const std::filesystem::path& folder);

  std::list<report::OutputFolder> folders_;  ///< the inner ones first, and so gone first
};

}  // namespace reconverge::cli
