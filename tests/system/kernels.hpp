#pragma once
/// Traversal kernels that do what none should, as PTX.

#include <string>

namespace reconverge::tests {

/// A kernel `bad` with the arguments of the traversal kernels and this body.
inline std::string traversal_with(const std::string& body) {
  return ".version 5.0\n.target sm_60\n.address_size 64\n.visible .entry bad(\n"
         "  .param .u64 nodes, .param .u64 rows, .param .u64 triangle_of_row,\n"
         "  .param .u64 rays, .param .u64 hits, .param .u32 count\n)\n{\n"
         "  .reg .b64 %rd<4>;\n  .reg .b32 %r<4>;\n" +
         body + "}\n";
}

/// Leaves every answer as it was: triangle 0 at distance 0.
inline std::string lazy_traversal() { return traversal_with("  ret;\n"); }

/// Writes where no buffer is.
inline std::string wild_traversal() {
  return traversal_with("  mov.u64 %rd1, 8;\n  mov.u32 %r1, 1;\n  st.global.u32 [%rd1], %r1;\n  ret;\n");
}

}  // namespace reconverge::tests
