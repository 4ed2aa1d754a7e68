// SPDX-License-Identifier: Apache-2.0
#pragma once
/// A kernel around a piece of PTX, which reads the clock before and after a loop over that piece.

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "benchmarks/silicon/measurement.hpp"

namespace reconverge::silicon {

/// The loop runs twice and the second run counts, so that instruction caches are warm.
///
/// Registers that the pieces may use: %r<64> (.b32), %d<64> (.b64), %f<32>, %g<16> (.f64), %h<16> (.b16), %p<32>;
/// %lane, %index, and %one and %zero, numbers that the compiler does not know (.b32); %data, the address of the second
/// buffer. The array `cells` is shared memory, `constants` 4 KiB of zeros in constant memory.
struct TimedKernel {
  std::string setup;        ///< before the loop
  std::string body;         ///< in the loop
  std::string enter{};      ///< `cost_of_copy`: before the copies of the piece
  std::string leave{};      ///< the same: after them
  std::string keep;         ///< after it: leaves what the loop computed in %d63, so that the compiler keeps it
  std::string functions{};  ///< and variables of the module
  bool once = false;        ///< no loop: the body runs once, with cold instruction caches
  std::uint32_t threads = 32;
  std::uint32_t blocks = 1;
  std::uint32_t shared_bytes = 32768;  ///< of `cells`; 0: there is no such array
  std::uint32_t rounds = 64;           ///< of the loop
  std::uint64_t data_bytes = 4096;

  device::Job job(const std::string& name) const;
  std::string text() const;
};

/// Cycles from the first thread's start to the last thread's end, in a launch of one block.
double cycles(const device::Buffers& after, const TimedKernel& kernel);
/// What each thread left in %d63.
std::vector<std::uint64_t> kept(const device::Buffers& after, const TimedKernel& kernel);

/// `line` repeated, with `{}` replaced by the number of the copy.
std::string repeated(const std::string& line, unsigned times);

/// Cycles that each further copy of a piece adds to the loop: two kernels whose bodies have `fewer` and `more` copies.
/// The loop's own instructions and the reading of the clock cancel out.
Measurement cost_of_copy(const std::string& group, const std::string& name, TimedKernel kernel,
                         const std::string& piece, unsigned fewer = 16, unsigned more = 48);

}  // namespace reconverge::silicon
