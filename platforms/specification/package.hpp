// SPDX-License-Identifier: Apache-2.0
#pragma once
/// A block's RTL as a folder that simulates, proves and synthesises outside the tree.

#include <string_view>
#include <vector>

#include "models/cosim/twin/golden_vectors.hpp"
#include "platforms/specification/block_page.hpp"

namespace reconverge::specification {

/// Whether the block has RTL.
bool has_rtl(std::string_view block);

/// Golden vectors of a small configuration of the block, which compiles in seconds.
twin::GoldenVectors small_vectors(std::string_view block);

/// The files of the package; names have folders: `rtl/<block>/<block>.sv`. `page`: the block's specification page with
/// its images; the package has it as HTML, too. What `scripts/prove --sby` writes is not among them.
std::vector<PageFile> package_of(std::string_view block, const twin::GoldenVectors& vectors,
                                 std::vector<PageFile> page);

}  // namespace reconverge::specification
