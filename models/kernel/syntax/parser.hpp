// SPDX-License-Identifier: Apache-2.0
#pragma once
/// Parses PTX text to a syntax tree. The parser uses only the grammar; it looks up neither instructions nor names.

#include <string>
#include <string_view>

#include "models/kernel/syntax/syntax.hpp"

namespace reconverge::kernel {

/// Parses a module. Messages contain `file`. Throws InputError at the first text that is not PTX. Directives for
/// assemblers and debuggers (.section, .pragma ...) are skipped, except .file and .loc.
Module parse_module(std::string text, std::string_view file);

}  // namespace reconverge::kernel
