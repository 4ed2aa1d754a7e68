// SPDX-License-Identifier: Apache-2.0
#pragma once
/// The folders that several runs share.

#include <filesystem>
#include <list>

#include "platforms/cli/run/several_plan.hpp"
#include "platforms/report/output_folder.hpp"

namespace reconverge::cli {

/// Creates and holds the parent folders of the runs' reports. They exist as long as this object, so that no run removes
/// a folder that another run is about to use, and no other program writes into them. The destructor removes folders
/// that this object created and that are still empty.
class SeveralFolders {
 public:
  /// Throws OutputError for a folder that cannot be written, and for a file of the user at the table's path unless
  /// `force` replaces it.
  SeveralFolders(const SeveralPlan& plan, bool force);

  /// The folder of the tables.
  report::OutputFolder& tables() { return folders_.back(); }

 private:
  void add(const std::filesystem::path& folder);

  std::list<report::OutputFolder> folders_;  ///< inner folders first, so that they are removed first
};

}  // namespace reconverge::cli
