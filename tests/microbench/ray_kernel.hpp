// SPDX-License-Identifier: Apache-2.0
#pragma once
/// A kernel for dynamic ray shuffling whose rays have a given number of registers, and its expected results.

#include <cstddef>
#include <cstdint>
#include <string>

namespace reconverge::tests {

/// Index of the word in the buffer to which ray 0 writes its result.
inline constexpr std::size_t first_ray_word = 32;

/// PTX with the kernel `rays`, which has the parameters of microbenchmarks. It fetches `count` rays through the counter
/// in the first word of the buffer. A ray has up to 16 rounds, each of which changes all registers of the ray; every
/// fourth is a leaf round. `registers`: 2 to 18.
std::string ray_kernel(std::size_t registers);

/// The expected result of ray `index`.
std::uint32_t result_of_ray(std::uint32_t index, std::size_t registers);

}  // namespace reconverge::tests
