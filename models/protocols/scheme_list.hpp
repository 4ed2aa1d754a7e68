// SPDX-License-Identifier: Apache-2.0
#pragma once
/// The divergence schemes of a platform, for code that only passes them on.

#include <span>

namespace reconverge {

struct SchemeKind;

using SchemeList = std::span<const SchemeKind* const>;

/// The built-in schemes, in report order. The first one is the default path scheme.
SchemeList built_in_schemes();

}  // namespace reconverge
