// SPDX-License-Identifier: Apache-2.0
#pragma once
/// The part of a specification page that describes a block's RTL, in Markdown.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "platforms/specification/timing_diagram.hpp"

namespace reconverge::specification {

/// The chapters about `rtl/<block>`, headings of the second level; nothing if the block has no RTL. Diagrams are images
/// `<block>.<name>.svg`.
std::optional<std::string> rtl_page(std::string_view block);

/// The timing diagrams of a block's RTL, made by running its model.
std::vector<TimingDiagram> timing_diagrams(std::string_view block);

/// Ports and parameters of a block's RTL without a description, as `<file>: <name>`.
std::vector<std::string> undescribed(std::string_view block);

}  // namespace reconverge::specification
