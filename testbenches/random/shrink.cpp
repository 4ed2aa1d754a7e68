#include "testbenches/random/shrink.hpp"

namespace reconverge::random_programs {

namespace {

class Shrinker {
 public:
  Shrinker(Program program, const std::function<bool(const Program&)>& fails, unsigned budget)
      : program_(std::move(program)), fails_(fails), budget_(budget) {}

  Program run() {
    while (pass(program_.body)) {
    }
    while (smaller_launch()) {
    }
    return program_;
  }

 private:
  /// Keeps what `list` is now if the program still fails; otherwise puts `before` back.
  bool keep_if_failing(std::vector<Statement>& list, std::vector<Statement>& before) {
    if (budget_ > 0 && (--budget_, fails_(program_))) return true;
    list = std::move(before);
    return false;
  }

  bool pass(std::vector<Statement>& list);
  bool smaller_launch();

  Program program_;
  const std::function<bool(const Program&)>& fails_;
  unsigned budget_;
};

bool Shrinker::pass(std::vector<Statement>& list) {
  bool changed = false;
  for (std::size_t i = list.size(); i-- > 0;) {
    std::vector<Statement> before = list;
    list.erase(list.begin() + static_cast<std::ptrdiff_t>(i));
    if (keep_if_failing(list, before)) {
      changed = true;
      continue;
    }
    for (std::size_t arm = 0; arm < list[i].arms.size(); ++arm) {
      before = list;
      const std::vector<Statement> inner = list[i].arms[arm];
      list.erase(list.begin() + static_cast<std::ptrdiff_t>(i));
      list.insert(list.begin() + static_cast<std::ptrdiff_t>(i), inner.begin(), inner.end());
      if (keep_if_failing(list, before)) return true;
    }
    for (auto& arm : list[i].arms) changed |= pass(arm);
  }
  return changed;
}

bool Shrinker::smaller_launch() {
  const Program before = program_;
  if (program_.grid.count() > 1) {
    program_.grid = {1};
  } else if (program_.block.count() > 1) {
    program_.block = {static_cast<std::uint32_t>(program_.block.count() / 2)};
  } else {
    return false;
  }
  if (budget_ > 0 && (--budget_, fails_(program_))) return true;
  program_ = before;
  return false;
}

}  // namespace

Program shrunk(Program program, const std::function<bool(const Program&)>& fails, unsigned budget) {
  return Shrinker(std::move(program), fails, budget).run();
}

}  // namespace reconverge::random_programs
