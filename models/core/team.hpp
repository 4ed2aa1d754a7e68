// SPDX-License-Identifier: Apache-2.0
#pragma once
/// Host threads that execute the parts of a task in parallel, many times in quick succession.

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <thread>
#include <vector>

namespace reconverge {

/// Cores of the host that this process may use; at least one.
unsigned host_cores();

class Team {
 public:
  /// `threads`: number of threads including the caller's; at least one. They get no signals. If the host grants fewer,
  /// these do the work.
  explicit Team(unsigned threads);
  Team(const Team&) = delete;
  Team& operator=(const Team&) = delete;
  ~Team();

  /// Calls `part(i)` for i = 0, 1, ... `parts` - 1 and returns after all calls have returned. Calls begin in this
  /// order. `part` must not throw. A worker that sleeps too long misses the task, and does not delay it.
  void run(std::uint32_t parts, const std::function<void(std::size_t)>& part);

 private:
  // The number of the task in the upper half, the number of parts that are not taken in the lower. Workers may look at
  // the task only while there are such parts.
  using State = std::uint64_t;
  static constexpr unsigned task_at = 32;
  static std::uint32_t untaken(State state) { return static_cast<std::uint32_t>(state); }

  void work();
  void take_parts();

  std::atomic<State> state_ = 0;
  std::atomic<std::uint32_t> unfinished_ = 0;
  const std::function<void(std::size_t)>* part_ = nullptr;
  std::uint32_t parts_ = 0;
  std::atomic<bool> over_ = false;
  std::vector<std::thread> workers_;
};

}  // namespace reconverge
