// SPDX-License-Identifier: Apache-2.0
#pragma once
/// Faulty kernels, as PTX.

#include <string>

#include "tests/unit/core/temporary_folder.hpp"

namespace reconverge::tests {

/// A kernel `bad` with the arguments of the traversal kernels and this body.
inline std::string traversal_with(const std::string& body) {
  return ".version 5.0\n.target sm_60\n.address_size 64\n.visible .entry bad(\n"
         "  .param .u64 nodes, .param .u64 rows, .param .u64 triangle_of_row,\n"
         "  .param .u64 rays, .param .u64 hits, .param .u32 count\n)\n{\n"
         "  .reg .b64 %rd<4>;\n  .reg .b32 %r<4>;\n" +
         body + "}\n";
}

/// Leaves every answer unchanged: triangle 0 at distance 0.
inline std::string lazy_traversal() { return traversal_with("  ret;\n"); }

/// Writes outside every buffer.
inline std::string wild_traversal() {
  return traversal_with("  mov.u64 %rd1, 8;\n  mov.u32 %r1, 1;\n  st.global.u32 [%rd1], %r1;\n  ret;\n");
}

/// A kernel `talk` whose threads print a format; its bytes as numbers, the last one 0. `again`: forever.
inline std::string talk(const std::string& format, bool again = false) {
  return ".version 6.5\n.target sm_75\n.address_size 64\n"
         ".extern .func (.param .b32 count) vprintf (.param .b64 format, .param .b64 arguments);\n"
         ".global .b8 format[] = {" +
         format +
         "};\n.visible .entry talk() {\n  .reg .b64 %rd<3>;\n  .reg .b32 %r<2>;\n  mov.u64 %rd1, format;\n"
         "  mov.u64 %rd2, 0;\nagain:\n  call (%r1), vprintf, (%rd1, %rd2);\n" +
         (again ? "  bra again;\n}\n" : "  ret;\n}\n");
}

/// `endless.yaml`, an experiment whose kernel counts forever, which is not a livelock.
inline void write_endless(const TemporaryFolder& place) {
  place.write("endless.ptx",
              ".version 5.0\n.target sm_60\n.address_size 64\n.visible .entry endless()\n{\n  .reg .b64 %rd<2>;\n"
              "  .reg .pred %p<2>;\n  mov.u64 %rd1, 0;\nagain:\n  add.u64 %rd1, %rd1, 1;\n"
              "  setp.ne.u64 %p1, %rd1, 0;\n  @%p1 bra again;\n  ret;\n}\n");
  place.write("endless.yaml",
              "name: endless\nbuffers: {}\nlaunches:\n- {program: endless.ptx, grid: 1, block: 32, arguments: []}\n");
}

}  // namespace reconverge::tests
