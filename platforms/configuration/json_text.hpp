#pragma once
/// JSON with line breaks.

#include <boost/json/value.hpp>
#include <string>

namespace reconverge::configuration {

/// Two spaces a level; an object or array that fits on the line stays there. Ends with a newline. Bytes of strings that
/// are no UTF-8 are shown as `\xNN`.
std::string pretty(const boost::json::value& value);

}  // namespace reconverge::configuration
