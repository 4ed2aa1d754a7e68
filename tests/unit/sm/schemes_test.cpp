// SPDX-License-Identifier: Apache-2.0
// The list of schemes that a platform can use.

#include "platforms/machines/gpu/schemes.hpp"

#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "blocks/thread_block_compaction.hpp"
#include "models/core/error.hpp"

namespace reconverge {
namespace {

/// The error when a scheme with these causes is added to the built-in schemes; empty if there is none.
std::string problem_with(const std::vector<CauseDescription>& causes) {
  BlockDescription block;
  block.name = "another";
  block.causes = causes;
  SchemeKind another;
  another.part = {block.name, &block, nullptr};
  std::vector<const SchemeKind*> kinds(built_in_schemes().begin(), built_in_schemes().end());
  kinds.push_back(&another);
  return problem_of_causes(kinds);
}

}  // namespace

TEST_CASE("schemes: stall causes have unique names, and their number is limited") {
  CHECK(problem_of_causes(built_in_schemes()).empty());
  CHECK(problem_with({}).empty());
  CHECK(problem_with({{"first", "for the first"}, {"second", "for the second"}}).empty());

  const std::string_view taken = ThreadBlockCompactionParameters::description().causes.front().name;
  CHECK(problem_with({{"first", ""}, {taken, ""}}) == "its stall cause " + std::string(taken) + " exists already");
  CHECK(problem_with({{"memory", ""}}) == "its stall cause memory exists already");
  CHECK(problem_with({{"twice", ""}, {"twice", ""}}) == "its stall cause twice exists already");

  std::size_t built_in = 0;
  for (const SchemeKind* kind : built_in_schemes()) built_in += kind->part.block->causes.size();
  std::vector<std::string> names;
  for (std::size_t i = built_in; i <= most_open_bins; ++i) names.push_back("cause_" + std::to_string(i));
  std::vector<CauseDescription> causes;
  for (const std::string& name : names) causes.push_back({name, ""});
  CHECK(problem_with(causes) == "with it, schemes have 25 stall causes, and at most 24 are possible");
  causes.pop_back();
  CHECK(problem_with(causes).empty());
}

TEST_CASE("schemes: a scheme that starts threads is refused if blocks keep their slots") {
  BlockDescription block;
  block.name = "beginner";
  SchemeKind beginner;
  beginner.part = {block.name, &block, nullptr};
  beginner.traits.threads = true;
  beginner.beside = true;
  std::vector<const SchemeKind*> kinds(built_in_schemes().begin(), built_in_schemes().end());
  kinds.push_back(&beginner);
  SmParameters parameters;
  parameters.scheme = {"reconvergence_stack", "beginner"};
  CHECK(schemes_of(parameters, kinds).back() == &beginner);
  parameters.scheme = {"thread_block_compaction", "beginner"};
  CHECK_THROWS_AS(schemes_of(parameters, kinds), ParameterError);
}

}  // namespace reconverge
