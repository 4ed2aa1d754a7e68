// SPDX-License-Identifier: Apache-2.0
#pragma once
/// The extension instructions for dynamic ray shuffling. No SystemC.

#include <cstdint>
#include <span>

#include "models/kernel/extension.hpp"

namespace reconverge {

/// The state of a thread's ray and the control value that says what to do for it (Lü et al., MICRO 2017, kernel 1);
/// both use the same encoding. A thread begins with `fetch`. `none` as a control value is the paper's EXIT.
enum class RayState : std::uint8_t { none, fetch, inner, leaf };
inline constexpr unsigned ray_states = 4;

/// - `rdctrl.b32 %control, {%r1, %f2, ...};` reads the control value (Lü et al., MICRO 2017, section 3.1.2). The braces
///   list the ray registers, which hold everything that a thread keeps of its ray: 1 to 32 different 32-bit registers.
///   Afterwards they may hold another ray. On a machine that moves no rays, the control value is the state that the
///   thread reported last.
/// - `mov.u32 %ray_state, source;` (or .b32) reports the state of the thread's ray, a RayState (reg_ray_state in the
///   paper). Any other value ends the run with an error. The register cannot be read.
std::span<const kernel::ExtensionInstruction> ray_instructions();

}  // namespace reconverge
