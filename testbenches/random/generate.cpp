#include <fmt/format.h>

#include <array>

#include "testbenches/random/operations.hpp"
#include "testbenches/random/program_tree.hpp"

namespace reconverge::random_programs {

namespace {

using Kind = Statement::Kind;

Statement statement_of(Kind kind) {
  Statement result;
  result.kind = kind;
  return result;
}

Statement plain(std::string text) {
  Statement result;
  result.text = std::move(text);
  return result;
}

/// Makes the control flow; operations.cpp fills it.
class Generator {
 public:
  Generator(Chance& chance, Program& program, bool meets) : chance_(chance), program_(program), meets_(meets) {}

  std::vector<Statement> sequence(unsigned depth, unsigned length) {
    std::vector<Statement> result;
    for (unsigned i = 0; i < length; ++i) result.push_back(statement(depth));
    return result;
  }

 private:
  Statement statement(unsigned depth);
  Statement choice(unsigned depth);
  Statement selection(unsigned depth);
  Statement loop(unsigned depth);
  Statement leave();
  Statement ending();
  std::vector<Statement> arm(unsigned depth) { return sequence(depth + 1, 1 + chance_.below(3)); }

  Chance& chance_;
  Program& program_;
  bool meets_;                         // threads meet at barriers: they may not part for good
  std::vector<std::uint32_t> inside_;  // numbered statements around, the innermost last
  std::vector<std::uint32_t> loops_;
};

Statement Generator::statement(unsigned depth) {
  const unsigned roll = chance_.below(100);
  if (depth < 4 && program_.statements < 24) {
    if (roll < 16) return choice(depth);
    if (roll < 26) return loop(depth);
    if (roll < 32) return selection(depth);
  }
  if (roll < 40 && !inside_.empty()) return leave();
  if (roll < 42) return ending();
  if (meets_ && depth == 0 && roll < 60) return plain(meeting(chance_, program_));
  return plain(operation(chance_));
}

Statement Generator::choice(unsigned depth) {
  Statement result = statement_of(Kind::choice);
  result.predicate = chance_.predicate();
  result.number = program_.statements++;
  inside_.push_back(result.number);
  result.arms.push_back(arm(depth));
  result.arms.push_back(chance_.one_in(2) ? arm(depth) : std::vector<Statement>{});
  inside_.pop_back();
  return result;
}

Statement Generator::selection(unsigned depth) {
  Statement result = statement_of(Kind::selection);
  result.number = program_.statements++;
  result.selector = chance_.below(8);
  inside_.push_back(result.number);
  for (unsigned i = 2 + chance_.below(5); i-- > 0;) {
    result.arms.push_back(arm(depth));
    result.falls_through.push_back(chance_.one_in(4));
  }
  inside_.pop_back();
  return result;
}

Statement Generator::loop(unsigned depth) {
  Statement result = statement_of(Kind::loop);
  result.number = program_.statements++;
  result.selector = chance_.below(8);
  result.trips = 1 + chance_.below(depth == 0 ? 7 : 4);
  result.guarded = chance_.one_in(2);
  inside_.push_back(result.number);
  loops_.push_back(result.number);
  result.arms.push_back(arm(depth));
  loops_.pop_back();
  inside_.pop_back();
  return result;
}

Statement Generator::leave() {
  const bool next_round = !loops_.empty() && chance_.one_in(3);
  const std::vector<std::uint32_t>& targets = next_round ? loops_ : inside_;
  Statement result = statement_of(next_round ? Kind::next_round : Kind::leave);
  result.predicate = chance_.predicate();
  result.target = targets[chance_.below(targets.size())];
  return result;
}

Statement Generator::ending() {
  Statement result = statement_of(Kind::exit);
  result.predicate = chance_.predicate();
  result.guarded = meets_ || chance_.one_in(2);
  return result;
}

}  // namespace

Program generate(std::uint64_t seed) {
  Chance chance(seed);
  Program program;
  program.seed = seed;
  constexpr std::array<Dim3, 9> blocks = {{{1}, {7}, {31}, {32}, {33}, {64}, {96}, {100}, {6, 11}}};
  program.block = blocks.at(chance.below(blocks.size()));
  program.grid = {1 + chance.below(4)};
  const bool meets = chance.one_in(2);
  Generator generator(chance, program, meets);
  program.body = generator.sequence(0, 4 + chance.below(10));
  return program;
}

}  // namespace reconverge::random_programs
