// SPDX-License-Identifier: Apache-2.0
#pragma once
/// Checks that code reads every parameter and updates every statistic; otherwise the build fails.

#include <filesystem>
#include <string>
#include <vector>

#include "models/block_generator/block_file.hpp"

namespace reconverge::block_generator {

struct UseReport {
  std::vector<std::string> problems;             ///< one message each, `file:line:column: ...`
  std::vector<std::filesystem::path> looked_at;  ///< files and folders: if one changes, the check must run again
};

/// Searches the C++ files of `folders`, which are in `tree`, for the parameters and statistics of `blocks`.
///
/// Only files that include the generated header of a block count for this block: files that include
/// `<prefix>/<block>.hpp`, or the header of a block that contains it, directly or through other files of the tree.
/// `ways` of one cache is therefore not confused with `ways` of another.
UseReport check_use(const std::vector<Block>& blocks, const std::filesystem::path& tree,
                    const std::vector<std::filesystem::path>& folders, const std::string& prefix);

}  // namespace reconverge::block_generator
