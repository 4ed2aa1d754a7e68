// SPDX-License-Identifier: Apache-2.0
#pragma once
/// Every combination of the options for making a streaming graph, on stream processors of several shapes.

#include "platforms/machines/stream_processor/stream_machine.hpp"

namespace reconverge::contract {

inline constexpr std::uint64_t stream_ways = 2 * 3 * 2 * 2 * 2 * 2;

/// Combination `way` of `stream_ways`, on a machine selected by `shape`, any number.
StreamProcessorParameters stream_parameters(std::uint64_t way, std::uint64_t shape);

}  // namespace reconverge::contract
