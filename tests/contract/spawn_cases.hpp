// SPDX-License-Identifier: Apache-2.0
#pragma once
/// Hand-written kernels of micro-kernels.

#include <string>

#include "testbenches/contract/kernels.hpp"

namespace reconverge::contract {

/// With the instructions of all schemes.
Case spawn_case(std::string_view body, Dim3 grid, Dim3 block);

/// Each thread writes how many steps its input takes to reach 1 (Collatz): one micro-kernel runs a step at an even
/// value, another a step at an odd value.
Case collatz_case(Dim3 grid, Dim3 block);

/// The first `lanes` lanes of each warp of 32 each create a thread, which adds one to the word at its number; they then
/// continue for `rounds` rounds.
Case once_case(Dim3 grid, Dim3 block, unsigned lanes, unsigned rounds);

}  // namespace reconverge::contract
