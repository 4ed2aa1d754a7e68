#pragma once
/// Makes a failing program smaller.

#include <functional>

#include "testbenches/random/program_tree.hpp"

namespace reconverge::random_programs {

/// Drops statements, and replaces compound ones by what is in them, while `fails` still holds. At most `budget`
/// programs are tried.
Program shrunk(Program program, const std::function<bool(const Program&)>& fails, unsigned budget = 400);

}  // namespace reconverge::random_programs
