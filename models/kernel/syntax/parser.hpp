// SPDX-License-Identifier: Apache-2.0
#pragma once
/// Parses PTX text to a syntax tree. It knows the grammar of the language, but no instructions and no names.

#include <string>
#include <string_view>

#include "models/kernel/syntax/syntax.hpp"

namespace reconverge::kernel {

/// Parses a module. `file` is named in messages. Throws InputError at the first text that is not PTX; directives for
/// debuggers and assemblers (.loc, .file, .section, .pragma ...) are skipped.
Module parse_module(std::string text, std::string_view file);

}  // namespace reconverge::kernel
