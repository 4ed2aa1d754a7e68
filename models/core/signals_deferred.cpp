// SPDX-License-Identifier: Apache-2.0
#include "models/core/signals_deferred.hpp"

#include <array>
#include <atomic>
#include <csignal>
#include <cstddef>
#include <mutex>

namespace reconverge {

namespace {

constexpr std::array<int, 4> signals{SIGINT, SIGTERM, SIGHUP, SIGALRM};

// Signal handling is common to the whole process.
std::mutex changing;
unsigned living = 0;
std::array<struct sigaction, signals.size()> earlier;
std::array<std::atomic<bool>, signals.size()> came;
static_assert(std::atomic<bool>::is_always_lock_free);

void remember(int signal) {
  for (std::size_t i = 0; i < signals.size(); ++i) {
    if (signals[i] == signal) came[i] = true;
  }
}

}  // namespace

SignalsDeferred::SignalsDeferred() {
  const std::lock_guard lock(changing);
  if (living++ != 0) return;
  struct sigaction deferring {};
  deferring.sa_handler = remember;
  sigemptyset(&deferring.sa_mask);
  deferring.sa_flags = SA_RESTART;
  for (std::size_t i = 0; i < signals.size(); ++i) {
    sigaction(signals[i], nullptr, &earlier[i]);
    if (earlier[i].sa_handler != SIG_IGN) sigaction(signals[i], &deferring, nullptr);
  }
}

SignalsDeferred::~SignalsDeferred() {
  const std::lock_guard lock(changing);
  if (--living != 0) return;
  for (std::size_t i = 0; i < signals.size(); ++i) sigaction(signals[i], &earlier[i], nullptr);
  for (std::size_t i = 0; i < signals.size(); ++i) {
    if (came[i].exchange(false)) std::raise(signals[i]);
  }
}

}  // namespace reconverge
