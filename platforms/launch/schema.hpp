// SPDX-License-Identifier: Apache-2.0
#pragma once
/// The schemas of a launch file's sections, for editors.

#include <boost/json/object.hpp>

namespace reconverge::launch {

/// A JSON Schema (draft 7) for each section, by its name.
boost::json::object section_schemas();

}  // namespace reconverge::launch
