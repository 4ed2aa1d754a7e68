// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <span>

#include "testbenches/random/operations.hpp"
#include "testbenches/random/program_tree.hpp"

namespace reconverge::random_programs {

namespace {

using Kind = Statement::Kind;

/// What the statements of a kernel or function may contain.
struct Habits {
  bool exchanges = false;  ///< exchanges between the lanes of a warp
  bool meets = false;      ///< block barriers
  bool shares = false;     ///< shared memory
  bool stays = false;      ///< no thread ends early
  unsigned depth = 0;      ///< of enclosing statements: a function may be called from anywhere
};

/// Generates the control flow; operations.cpp fills it with instructions.
class Generator {
 public:
  Generator(Chance& chance, Program& program, const Habits& habits, bool in_function)
      : chance_(chance), program_(program), habits_(habits), in_function_(in_function) {}

  std::vector<Statement> sequence(unsigned depth, unsigned length) {
    std::vector<Statement> result;
    for (unsigned i = 0; i < length; ++i) result.push_back(statement(depth));
    return result;
  }

 private:
  static constexpr unsigned most_rounds = 40;

  Statement statement(unsigned depth);
  Statement flow(unsigned depth);
  Statement together();
  Statement choice(unsigned depth);
  Statement selection(unsigned depth);
  Statement loop(unsigned depth);
  Statement tangle(unsigned depth);
  Statement leave();
  Statement ending();
  Statement call();

  /// A numbered statement, which encloses what is generated until `close`.
  Statement open(Kind kind) {
    Statement result;
    result.kind = kind;
    result.number = program_.statements++;
    inside_.push_back(result.number);
    return result;
  }
  void close() { inside_.pop_back(); }
  std::vector<Statement> arm(unsigned depth) { return sequence(depth + 1, 1 + chance_.below(3)); }
  std::string condition() { return chance_.one_in(6) ? chance_.common_predicate() : chance_.predicate(); }

  Chance& chance_;
  Program& program_;
  Habits habits_;
  bool in_function_;
  std::vector<std::uint32_t> inside_;  // numbered enclosing statements, the innermost one last
  std::vector<std::uint32_t> loops_;
  unsigned rounds_ = 1;  // upper bound, of all enclosing loops
  unsigned calls_ = 0;
};

Statement Generator::statement(unsigned depth) {
  const unsigned roll = chance_.below(100);
  if (depth < 4 && program_.statements < 32 && roll < 34) return flow(depth);
  if (roll < 41 && !inside_.empty()) return leave();
  if (roll < 43 && (in_function_ || !habits_.stays)) return ending();
  if (roll < 60 && (habits_.exchanges || habits_.meets)) return together();
  Statement result;
  result.text = operation(chance_, habits_.shares);
  return result;
}

Statement Generator::flow(unsigned depth) {
  const unsigned roll = chance_.below(100);
  const bool may_call = in_function_ ? rounds_ == 1 && calls_ < 2 : rounds_ <= 8;
  if (roll < 20 && may_call && !program_.functions.empty()) return call();
  if (roll < 50) return choice(depth);
  if (roll < 75) return loop(depth);
  return roll < 92 ? selection(depth) : tangle(depth);
}

Statement Generator::together() {
  Statement result;
  if (habits_.meets && (!habits_.exchanges || chance_.one_in(2))) {
    result.kind = Kind::meeting;
    result.number = program_.statements++;
    result.meeting = meeting(chance_);
    return result;
  }
  result.kind = Kind::exchange;
  result.whole = chance_.one_in(6);
  result.text = exchange(chance_, result.whole);
  return result;
}

Statement Generator::choice(unsigned depth) {
  Statement result = open(Kind::choice);
  result.predicate = condition();
  result.arms.push_back(arm(depth));
  result.arms.push_back(chance_.one_in(2) ? arm(depth) : std::vector<Statement>{});
  close();
  return result;
}

Statement Generator::selection(unsigned depth) {
  Statement result = open(Kind::selection);
  result.selector = chance_.below(8);
  result.table = chance_.one_in(2);
  result.uniform = chance_.one_in(5);
  if (!result.uniform && chance_.one_in(6)) result.predicate = condition();
  for (unsigned i = 2 + chance_.below(5); i-- > 0;) {
    result.arms.push_back(arm(depth));
    result.falls_through.push_back(chance_.one_in(4));
  }
  close();
  return result;
}

Statement Generator::loop(unsigned depth) {
  const unsigned rounds = rounds_;
  Statement result = open(Kind::loop);
  result.selector = chance_.below(8);
  result.trips = 1 + chance_.below(depth == 0 && !in_function_ ? 7 : 4);
  if (rounds_ * result.trips > most_rounds) result.trips = 1;
  result.uniform = chance_.one_in(4);
  result.guarded = chance_.one_in(2);
  rounds_ *= result.trips;
  loops_.push_back(result.number);
  result.arms.push_back(arm(depth));
  loops_.pop_back();
  rounds_ = rounds;
  close();
  return result;
}

Statement Generator::tangle(unsigned depth) {
  const unsigned rounds = rounds_;
  Statement result = open(Kind::tangle);
  const unsigned pieces = 2 + chance_.below(3);
  result.trips = 2 + chance_.below(5);
  rounds_ *= result.trips;
  for (unsigned i = 0; i <= pieces; ++i) {
    if (i < pieces) result.arms.push_back(arm(depth));
    result.predicates.push_back(condition());
    result.targets.push_back(chance_.below(pieces));
  }
  rounds_ = rounds;
  close();
  return result;
}

Statement Generator::leave() {
  Statement result;
  const bool next_round = !loops_.empty() && chance_.one_in(3);
  const std::vector<std::uint32_t>& targets = next_round ? loops_ : inside_;
  result.kind = next_round ? Kind::next_round : Kind::leave;
  result.predicate = chance_.predicate();
  result.target = targets[chance_.below(targets.size())];
  return result;
}

Statement Generator::ending() {
  Statement result;
  result.predicate = chance_.predicate();
  if (habits_.stays || (in_function_ ? !chance_.one_in(4) : chance_.one_in(8))) {
    result.kind = Kind::leave;
    result.target = Statement::function_end;
    result.selector = chance_.below(8);
    return result;
  }
  result.kind = Kind::exit;
  result.guarded = habits_.meets || habits_.exchanges || chance_.one_in(2);
  return result;
}

Statement Generator::call() {
  Statement result;
  result.kind = Kind::call;
  result.number = program_.statements++;
  result.target = chance_.below(program_.functions.size());
  result.selector = chance_.below(8);
  result.trips = chance_.below(3);
  result.indirect = chance_.one_in(3);
  result.uniform = chance_.one_in(4);
  if (chance_.one_in(6)) result.predicate = condition();
  ++calls_;
  return result;
}

constexpr std::array<Dim3, 16> blocks = {{{1},
                                          {7},
                                          {31},
                                          {32},
                                          {33},
                                          {64},
                                          {96},
                                          {100},
                                          {6, 11},
                                          {4, 4, 4},
                                          {3, 5, 7},
                                          {1, 1, 40},
                                          {16, 2, 3},
                                          {2, 33},
                                          {128},
                                          {150}}};
constexpr std::array<Dim3, 7> grids = {{{1}, {2}, {3}, {4}, {2, 2}, {1, 3}, {1, 2, 2}}};

}  // namespace

Program generate(std::uint64_t seed) {
  Chance chance(seed);
  Program program;
  program.seed = seed;
  program.block = blocks.at(chance.below(blocks.size()));
  program.grid = grids.at(chance.below(grids.size()));
  program.passing = static_cast<Passing>(chance.below(4));
  Habits habits;
  habits.meets = chance.one_in(2);
  habits.exchanges = chance.one_in(2);
  habits.shares = habits.meets;
  program.dynamic = chance.one_in(4);
  habits.stays = chance.one_in(2);
  if (chance.one_in(2)) program.functions.resize(1 + chance.below(4));
  for (Function& function : program.functions) {
    function.exchanges = habits.exchanges && chance.one_in(2);
    function.meets = habits.meets && chance.one_in(3);
  }
  for (std::size_t i = 0; i < program.functions.size(); ++i) {
    Habits own = habits;
    own.exchanges = program.functions[i].exchanges;
    own.meets = program.functions[i].meets;
    own.stays = habits.stays || chance.one_in(2);
    Generator generator(chance, program, own, true);
    program.functions[i].body = generator.sequence(2, 2 + chance.below(4));
  }
  Generator generator(chance, program, habits, false);
  program.body = generator.sequence(0, 4 + chance.below(10));
  return program;
}

}  // namespace reconverge::random_programs
