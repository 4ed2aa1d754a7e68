#pragma once
/// Every combination of the ways to make a streaming graph, on stream processors of several shapes.

#include "platforms/stream_processor/stream_machine.hpp"

namespace reconverge::contract {

inline constexpr std::uint64_t stream_ways = 2 * 3 * 2 * 2 * 2 * 2;

/// Way `way` of `stream_ways`, on a machine that `shape`, any number, picks.
StreamProcessorParameters stream_parameters(std::uint64_t way, std::uint64_t shape);

}  // namespace reconverge::contract
