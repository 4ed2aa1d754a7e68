// SPDX-License-Identifier: Apache-2.0
#pragma once
/// Prepares a process that has loaded a shared library of Reconverge.

namespace reconverge::embedding {

/// Finds the shipped files from the library that contains `symbol`, and keeps SystemC from printing its copyright,
/// which is not output of the host. `program_from_library`: path from the library's folder to that of the program.
void prepare_process(const void* symbol, const char* program_from_library);

}  // namespace reconverge::embedding
