// SPDX-License-Identifier: Apache-2.0
#pragma once
/// The kernels of the contract suite: one for each form of control flow, and some for memory and launches.

#include <string>
#include <string_view>
#include <vector>

#include "testbenches/contract/machines.hpp"

namespace reconverge::contract {

/// Words of output for each thread.
inline constexpr unsigned slice_words = 16;

/// A kernel around `body`, with entry `kernel`. Registers available in the body:
///   %gid thread number in the grid, %thread thread number in the block, %lane %thread modulo 32
///   (%laneid differs on machines that move threads), %x input word of the thread (all u32),
///   %in input, %out output, %sums sums, %slice the thread's own words of output (all u64);
///   free: %r<32> b32, %rd<16> b64, %f<16> f32, %p<16> pred.
/// `VISIT(k);` counts the thread's visit in word k of its slice.
/// `declarations` are written before the body: shared variables, for example. `module` is written before the kernel:
/// functions and variables of the module.
std::string kernel_text(std::string_view body, std::string_view declarations = {}, std::string_view module = {});

/// A chain of `ways` tests of the register `way`; case i adds one to `counter` `length` times and jumps to the end.
std::string switch_text(std::string_view way, std::string_view counter, unsigned ways, unsigned length);

/// A case with a kernel of that form; throws InputError if it does not load.
Case make_case(std::string name, std::string_view body, Dim3 grid, Dim3 block, std::string_view declarations = {},
               std::string_view module = {});

/// All kernels of the suite.
std::vector<Case> cases();

/// The groups of kernels.
std::vector<Case> control_flow_cases();
std::vector<Case> memory_cases();
std::vector<Case> call_cases();
std::vector<Case> barrier_cases();
std::vector<Case> matrix_cases();

}  // namespace reconverge::contract
