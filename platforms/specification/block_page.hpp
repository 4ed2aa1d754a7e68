// SPDX-License-Identifier: Apache-2.0
#pragma once
/// The specification page of a block, from its block file, its READMEs, the elaborated model and its RTL.

#include <string>
#include <vector>

#include "models/core/parameters.hpp"
#include "platforms/inspection/module_tree.hpp"

namespace reconverge::specification {

struct PageFile {
  std::string name;
  std::string text;
};

/// `<block>.md` and its images. `tree`: of a platform that contains the block's module; without one the page has no
/// block diagram.
std::vector<PageFile> block_page(const BlockDescription& block, const inspection::ModuleTree& tree);

}  // namespace reconverge::specification
