#pragma once
/// A parameter that no code reads, or a statistic that no code moves, fails the build.

#include <filesystem>
#include <string>
#include <vector>

#include "models/block_generator/block_file.hpp"

namespace reconverge::block_generator {

struct UseReport {
  std::vector<std::string> problems;             ///< one message each, `file:line:column: ...`
  std::vector<std::filesystem::path> looked_at;  ///< files and folders: when one changes, look again
};

/// Looks for the parameters and statistics of `blocks` in the C++ files of `folders`, which lie in `tree`.
///
/// Only files that see the generated header of a block count for it: those that include `<prefix>/<block>.hpp`, or
/// that of a block around it, themselves or through other files of the tree. So `ways` of one cache is
/// not taken for `ways` of another.
UseReport check_use(const std::vector<Block>& blocks, const std::filesystem::path& tree,
                    const std::vector<std::filesystem::path>& folders, const std::string& prefix);

}  // namespace reconverge::block_generator
