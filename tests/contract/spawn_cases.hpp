#pragma once
/// Kernels of micro-kernels, by hand.

#include <string>

#include "testbenches/contract/kernels.hpp"

namespace reconverge::contract {

/// With the instructions of all schemes.
Case spawn_case(std::string_view body, Dim3 grid, Dim3 block);

/// Each thread writes how many steps its input takes to 1 (Collatz): a micro-kernel for each step at an even value, and
/// another for one at an odd value.
Case collatz_case(Dim3 grid, Dim3 block);

/// The first `lanes` of each warp of 32 create a thread each, which adds one to the word of its number, and then go on
/// for so many rounds.
Case once_case(Dim3 grid, Dim3 block, unsigned lanes, unsigned rounds);

}  // namespace reconverge::contract
