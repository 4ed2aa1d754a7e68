// SPDX-License-Identifier: Apache-2.0
#pragma once
/// Kernels whose warps diverge into paths of equal length.

#include <functional>
#include <string>
#include <string_view>

#include "benchmarks/silicon/timed_kernel.hpp"

namespace reconverge::silicon {

/// Dependent multiply-adds of %r0 with constants that differ by path, so that the compiler cannot merge paths.
std::string chain(unsigned path, unsigned length);

/// For TimedKernel::keep, if the kernel computes %r0.
inline constexpr std::string_view keep_r0 = "  cvt.u64.u32 %d63, %r0;\n";

enum class Form { ifs, table };

/// Lanes diverge into `ways` of 32 paths of `length` operations: lane i takes path i modulo `ways`, a power of two. %r1
/// is the lane's path; a setup may change it.
TimedKernel ways_kernel(unsigned ways, unsigned length, Form form);

/// One job, and its values.
Measurement measure(const std::string& group, const std::string& name, const std::string& unit,
                    const TimedKernel& kernel,
                    const std::function<std::vector<double>(const device::Buffers&)>& values);
/// Cycles of a round of the kernel's loop.
Measurement cycles_a_round(const std::string& group, const std::string& name, const TimedKernel& kernel);

}  // namespace reconverge::silicon
