#pragma once
/// PTX text to a syntax tree. It knows the shape of the language, no instruction and no name.

#include <string>
#include <string_view>

#include "models/kernel/syntax/syntax.hpp"

namespace reconverge::kernel {

/// Parses a module. `file` is named in messages. Throws InputError at the first thing that is no PTX; directives that
/// only speak to debuggers and assemblers (.loc, .file, .section, .pragma ...) are passed over.
Module parse_module(std::string text, std::string_view file);

}  // namespace reconverge::kernel
