// SPDX-License-Identifier: Apache-2.0
#pragma once
/// The Makefile of a package.

#include <string>
#include <string_view>

#include "models/cosim/twin/golden_vectors.hpp"

namespace reconverge::specification {

/// `vectors`: those of the package, whose parameters differ from the defaults of the block.
std::string makefile(std::string_view block, const twin::GoldenVectors& vectors);

}  // namespace reconverge::specification
