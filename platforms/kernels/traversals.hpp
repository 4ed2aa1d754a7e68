// SPDX-License-Identifier: Apache-2.0
#pragma once
/// The traversal kernels, for tests that run all of them.

#include <string_view>

namespace reconverge::kernels {

/// All take (nodes, triangle_rows, triangle_of_row, rays, hits, count); persistent ones also take (counter).
struct Traversal {
  std::string_view file;  ///< without .ptx
  std::string_view entry;
  bool persistent = false;
};

inline constexpr Traversal traversals[] = {
    {"trace_while_while", "trace_while_while"},
    {"trace_persistent", "trace_speculative"},
    {"trace_persistent", "trace_persistent", true},
    {"trace_persistent", "trace_persistent_speculative", true},
    {"trace_persistent", "trace_replacing", true},
    {"trace_persistent", "trace_replacing_speculative", true},
    {"trace_persistent", "trace_replacing_speculative_three_rows", true},
    {"trace_if", "trace_if_if"},
    {"trace_if", "trace_while_if", true},
};

}  // namespace reconverge::kernels
