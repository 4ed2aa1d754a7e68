// SPDX-License-Identifier: Apache-2.0
#include "models/core/team.hpp"

#include <sched.h>

#include <algorithm>
#include <csignal>
#include <system_error>

#include "models/core/spin_wait.hpp"

namespace reconverge {

unsigned host_cores() {
  cpu_set_t allowed;
  if (sched_getaffinity(0, sizeof allowed, &allowed) == 0) return static_cast<unsigned>(CPU_COUNT(&allowed));
  return std::max(1U, std::thread::hardware_concurrency());
}

Team::Team(unsigned threads) {
  // Threads inherit the mask of blocked signals.
  sigset_t all;
  sigset_t before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  try {
    for (unsigned i = 1; i < threads; ++i) workers_.emplace_back([this] { work(); });
  } catch (const std::system_error&) {
    // The host grants no more threads; fewer threads do the same work.
  }
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

Team::~Team() {
  over_ = true;
  state_.fetch_add(State{1} << task_at);
  state_.notify_all();
  for (std::thread& worker : workers_) worker.join();
}

void Team::run(std::uint32_t parts, const std::function<void(std::size_t)>& part) {
  part_ = &part;
  parts_ = parts;
  unfinished_.store(parts, std::memory_order_relaxed);
  const State task = (state_.load(std::memory_order_relaxed) >> task_at) + 1;
  state_.store(task << task_at | parts, std::memory_order_release);
  state_.notify_all();
  take_parts();
  std::uint32_t left = unfinished_.load(std::memory_order_acquire);
  for (; left != 0; left = unfinished_.load(std::memory_order_acquire)) wait_until_changed(unfinished_, left);
}

void Team::take_parts() {
  for (State state = state_.load(std::memory_order_acquire); untaken(state) != 0;) {
    if (!state_.compare_exchange_weak(state, state - 1, std::memory_order_acquire)) continue;
    (*part_)(parts_ - untaken(state));
    if (unfinished_.fetch_sub(1, std::memory_order_acq_rel) == 1) unfinished_.notify_all();
    state = state_.load(std::memory_order_acquire);
  }
}

void Team::work() {
  while (!over_) {
    take_parts();
    const State seen = state_.load(std::memory_order_acquire);
    if (untaken(seen) == 0 && !over_) wait_until_changed(state_, seen);
  }
}

}  // namespace reconverge
