// SPDX-License-Identifier: Apache-2.0
#pragma once
/// Runs a random program on every machine and compares memory and instruction count with the scalar interpreter's.

#include <functional>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>

#include "models/kernel/program.hpp"
#include "models/protocols/scheme_list.hpp"
#include "testbenches/contract/machines.hpp"
#include "testbenches/random/program_tree.hpp"

namespace reconverge::random_programs {

/// Counts what programs reached, to detect a generator that has become ineffective.
struct Reached {
  std::uint64_t divergent_branches = 0;
  std::uint64_t nested = 0;  ///< divergent branches with more than one waiting path
  std::uint64_t barriers = 0;
  std::uint64_t refills = 0;
  std::uint64_t thread_instructions = 0;
  std::set<kernel::Opcode> opcodes;  ///< in the program text
};

struct Failure {
  std::string machine;
  std::string what;  ///< memory, count or error: with an equal `what`, a smaller program has the same failure
  std::string text;
};

/// Changes the program that the machines run, but not the interpreter's: simulates a bug.
using Fault = std::function<void(kernel::Program&)>;

/// The machines on which a program runs.
struct Schemes {
  std::span<const std::string_view> names = contract::schemes;
  SchemeList kinds = built_in_schemes();
};

/// Loads the program; throws InputError if the front end refuses it.
contract::Case case_of(const Program& program);

/// Runs the program on all machines: the functional machine, and each scheme in a shape of the GPU that the seed
/// selects.
std::optional<Failure> check(const Program& program, Reached& reached, const Fault& fault = {},
                             const Schemes& schemes = {});

/// The smallest program found that fails in the same way.
Program smallest(const Program& program, const Failure& failure, const Fault& fault = {}, const Schemes& schemes = {});

/// The failure, how to reproduce it, and the small program with its PTX.
std::string report(const Program& program, const Failure& failure, const Program& smaller);

}  // namespace reconverge::random_programs
