// SPDX-License-Identifier: Apache-2.0
#pragma once
/// The divergence schemes that a platform knows, for code that only passes them on.

#include <span>

namespace reconverge {

struct SchemeKind;

using SchemeList = std::span<const SchemeKind* const>;

/// The built-in schemes, in report order. Warps run by the first one if no other decides which paths they run.
SchemeList built_in_schemes();

}  // namespace reconverge
