// SPDX-License-Identifier: Apache-2.0
#pragma once
/// Makes a failing program smaller.

#include <functional>

#include "testbenches/random/program_tree.hpp"

namespace reconverge::random_programs {

/// Drops statements, guards, rounds, results, blocks and threads, and replaces compound statements by their contents,
/// as long as `fails` holds. Tries at most `budget` programs.
Program shrunk(Program program, const std::function<bool(const Program&)>& fails, unsigned budget = 3000);

}  // namespace reconverge::random_programs
