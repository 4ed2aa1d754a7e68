// SPDX-License-Identifier: Apache-2.0
#pragma once
/// A JSON list of objects as a table for queries.

#include <string>

#include "platforms/reproduction/page.hpp"

namespace reconverge::reproduction {

/// A row for each object of the list, and a column for each key. Values that are no numbers, texts or truth values are
/// NULL. `list`: the key of the list in the document; empty: the document itself. Throws InputError.
PublishedTable json_table(const std::string& name, const std::string& file, const std::string& list);

}  // namespace reconverge::reproduction
