// SPDX-License-Identifier: Apache-2.0
#pragma once
/// JSON with line breaks.

#include <boost/json/value.hpp>
#include <string>

namespace reconverge::configuration {

/// Indents by two spaces a level; an object or array that fits on a line stays there. Ends with a newline. Bytes in
/// strings that are not UTF-8 are shown as `\xNN`.
std::string pretty(const boost::json::value& value);

}  // namespace reconverge::configuration
