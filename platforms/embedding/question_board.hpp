// SPDX-License-Identifier: Apache-2.0
#pragma once
/// Questions of forked processes to the process that forked them: whether a run shall go on.

#include <semaphore.h>

#include <cstddef>
#include <functional>
#include <memory>
#include <span>

#include "platforms/run_control.hpp"

namespace reconverge::embedding {

struct UnmapMemory {
  std::size_t bytes = 0;
  void operator()(void* memory) const;
};

/// In memory that this process shares with the processes that it forks later; a place for each run.
class QuestionBoard {
 public:
  /// Throws std::system_error if there is no shared memory.
  explicit QuestionBoard(std::size_t runs);

  /// In the process of a run: notes the question, calls `tell` and waits for the answer.
  bool ask(std::size_t run, const RunProgress& progress, const std::function<void()>& tell);
  /// In the process that answers, after it was told: the question without its `part`.
  const RunProgress& question(std::size_t run) const { return places_[run].progress; }
  void answer(std::size_t run, bool goes_on);

 private:
  struct Place {
    sem_t answered;
    RunProgress progress;
    bool goes_on;
  };
  std::unique_ptr<void, UnmapMemory> memory_;
  std::span<Place> places_;
};

}  // namespace reconverge::embedding
