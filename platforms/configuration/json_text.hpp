#pragma once
/// JSON with line breaks.

#include <boost/json/value.hpp>
#include <string>

namespace reconverge::configuration {

/// Two spaces a level; objects and arrays of scalars that fit stay on one line. Ends with a newline.
std::string pretty(const boost::json::value& value);

}  // namespace reconverge::configuration
