// SPDX-License-Identifier: Apache-2.0
#include "platforms/embedding/question_board.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <cerrno>
#include <memory>
#include <system_error>

namespace reconverge::embedding {

void UnmapMemory::operator()(void* memory) const { munmap(memory, bytes); }

QuestionBoard::QuestionBoard(std::size_t runs) {
  const std::size_t bytes = std::max<std::size_t>(runs, 1) * sizeof(Place);
  void* const memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) throw std::system_error(errno, std::generic_category(), "no shared memory");
  memory_ = {memory, UnmapMemory{bytes}};
  auto* const first = static_cast<Place*>(memory);
  std::uninitialized_value_construct_n(first, runs);
  places_ = {first, runs};
  constexpr int between_processes = 1;
  for (Place& place : places_) sem_init(&place.answered, between_processes, 0);
}

bool QuestionBoard::ask(std::size_t run, const RunProgress& progress, const std::function<void()>& tell) {
  Place& place = places_[run];
  place.progress = progress;
  place.progress.part = {};  // of this process
  tell();
  while (sem_wait(&place.answered) != 0 && errno == EINTR) continue;
  return place.goes_on;
}

void QuestionBoard::answer(std::size_t run, bool goes_on) {
  places_[run].goes_on = goes_on;
  sem_post(&places_[run].answered);
}

}  // namespace reconverge::embedding
