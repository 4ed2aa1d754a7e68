#pragma once
/// One random program on every machine: the scalar interpreter says what memory and how many instructions there must
/// be.

#include <functional>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>

#include "models/kernel/program.hpp"
#include "testbenches/contract/machines.hpp"
#include "testbenches/random/program_tree.hpp"

namespace reconverge::random_programs {

/// What programs reached, so that a generator that lost its teeth is noticed.
struct Reached {
  std::uint64_t divergent_branches = 0;
  std::uint64_t nested = 0;  ///< divergent branches with more than one path waiting
  std::uint64_t barriers = 0;
  std::uint64_t refills = 0;
  std::uint64_t thread_instructions = 0;
  std::set<kernel::Opcode> opcodes;  ///< in the text
};

struct Failure {
  std::string machine;
  std::string what;  ///< memory, count or error: equal failures of smaller programs are the same failure
  std::string text;
};

/// Changes the program that the machines run, but not the one that the interpreter runs: stands for a bug.
using Fault = std::function<void(kernel::Program&)>;

/// Whom a program runs on.
struct Schemes {
  std::span<const std::string_view> names = contract::schemes;
  SchemeList kinds = built_in_schemes();
};

/// Loads the program; throws InputError when the front end refuses it.
contract::Case case_of(const Program& program);

/// Runs the program everywhere: the untimed machine, and each scheme in a shape of the GPU that the seed picks.
std::optional<Failure> check(const Program& program, Reached& reached, const Fault& fault = {},
                             const Schemes& schemes = {});

/// A program as small as can be found that fails in the same way.
Program smallest(const Program& program, const Failure& failure, const Fault& fault = {}, const Schemes& schemes = {});

/// The failure, how to see it again, the small program with its PTX.
std::string report(const Program& program, const Failure& failure, const Program& smaller);

}  // namespace reconverge::random_programs
