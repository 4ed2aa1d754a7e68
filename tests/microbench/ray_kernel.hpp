// SPDX-License-Identifier: Apache-2.0
#pragma once
/// A kernel for dynamic ray shuffling whose rays have any number of registers, and the result that it must leave.

#include <cstddef>
#include <cstdint>
#include <string>

namespace reconverge::tests {

/// Word of the buffer in which ray 0 leaves its result.
inline constexpr std::size_t first_ray_word = 32;

/// PTX with the entry `rays` and the parameters of microbenchmarks: `count` rays are fetched through the counter in the
/// first word of the buffer. All registers of a ray change in each of its rounds, of which there are up to 16; every
/// fourth is a leaf round. `registers`: 2 to 18.
std::string ray_kernel(std::size_t registers);

/// The result that ray `index` leaves in its word.
std::uint32_t result_of_ray(std::uint32_t index, std::size_t registers);

}  // namespace reconverge::tests
