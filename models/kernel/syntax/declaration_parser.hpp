// SPDX-License-Identifier: Apache-2.0
#pragma once
/// Declarations of variables and parameters, with their initial values.

#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "models/kernel/syntax/token_stream.hpp"

namespace reconverge::kernel {

/// Limit for the parameters of a kernel, and for the arguments and results of a function.
inline constexpr std::uint64_t max_parameter_bytes = 32764;

/// The state space of a directive such as .global; none for other words.
std::optional<Space> state_space(std::string_view word);

/// Parses a type such as `.u32`, which must be the next token. `where`: for the message.
DataType parse_type(TokenStream& tokens, std::string_view where);

/// `.global .align 4 .u32 x, y[2] = {1, 2}, z<3>;`, from the space on; the names of z0, z1 and z2 go to `made_names`.
std::vector<VariableDeclaration> parse_variables(TokenStream& tokens, bool external,
                                                 std::deque<std::string>& made_names);

/// Parameters of a kernel up to and including the `)`; the `(` has already been taken.
std::vector<VariableDeclaration> parse_parameters(TokenStream& tokens);

/// The same for the arguments and results of a function, which every call copies.
std::vector<VariableDeclaration> parse_passed(TokenStream& tokens);

}  // namespace reconverge::kernel
