// SPDX-License-Identifier: Apache-2.0
#include "platforms/cli/interrupt.hpp"

#include <sys/mman.h>
#include <sys/time.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <string_view>
#include <system_error>
#include <utility>

#include "platforms/cli/exit_code.hpp"
#include "platforms/cli/print.hpp"

namespace reconverge::cli {

namespace {

namespace fs = std::filesystem;

using Flag = std::atomic<bool>;
static_assert(Flag::is_always_lock_free);

// A signal handler can only reach global state.
Flag* interrupted = nullptr;
std::atomic<const std::vector<fs::path>*> prepared = nullptr;  ///< folders of a Preparation
Flag is_task = false;
Flag is_guarded = false;

/// In memory shared with processes forked later.
Flag* make_flag() {
  void* page = mmap(nullptr, sizeof(Flag), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (page == MAP_FAILED) throw std::system_error(errno, std::generic_category(), "no shared memory");
  return std::construct_at(static_cast<Flag*>(page), false);
}

/// Takes effect when the calling handler returns: until then the signal is blocked.
void die_by(int signal) {
  std::signal(signal, SIG_DFL);
  std::raise(signal);
}

void remove_folders(const std::vector<fs::path>* made) {
  if (made == nullptr) return;
  for (std::size_t i = made->size(); i-- != 0;) rmdir((*made)[i].c_str());
}

void handle(int signal) {
  const bool is_second = !is_task && interrupted->exchange(true);
  const std::vector<fs::path>* made = prepared;
  remove_folders(made);
  if (made != nullptr && !is_task) _exit(static_cast<int>(ExitCode::interrupted));
  // A terminal that closes may send SIGHUP more than once.
  const bool at_once = is_task ? made != nullptr || !is_guarded : is_second && signal != SIGHUP;
  if (at_once) die_by(signal);
}

void time_is_up(int signal) {
  const std::vector<fs::path>* made = prepared;
  if (is_guarded && made == nullptr) return;  // folders are being made; the timer fires again
  remove_folders(made);
  if (is_task) return die_by(signal);
  constexpr std::string_view message = "reconverge: error: --max-seconds: the time was up before the first cycle\n";
  // A write error cannot be reported here.
  [[maybe_unused]] const ssize_t written = write(STDERR_FILENO, message.data(), message.size());
  _exit(static_cast<int>(ExitCode::limit_reached));
}

void listen(int signal, struct sigaction* earlier) {
  struct sigaction action {};
  action.sa_handler = handle;
  sigemptyset(&action.sa_mask);
  action.sa_flags = SA_RESTART;
  sigaction(signal, &action, earlier);
}

}  // namespace

InterruptGuard::InterruptGuard() {
  is_guarded = true;
  if (is_task) return;
  if (interrupted == nullptr) interrupted = make_flag();
  *interrupted = false;
  listen(SIGINT, &earlier_interrupt_);
  listen(SIGTERM, &earlier_terminate_);
  sigaction(SIGHUP, nullptr, &earlier_hang_up_);
  if (earlier_hang_up_.sa_handler != SIG_IGN) listen(SIGHUP, &earlier_hang_up_);
}

InterruptGuard::~InterruptGuard() {
  is_guarded = false;
  if (is_task) return;
  sigaction(SIGINT, &earlier_interrupt_, nullptr);
  sigaction(SIGTERM, &earlier_terminate_, nullptr);
  sigaction(SIGHUP, &earlier_hang_up_, nullptr);
}

bool InterruptGuard::requested() const {
  if (!*interrupted && nobody_reads()) *interrupted = true;
  return *interrupted;
}

void InterruptGuard::leave_to_parent() {
  is_task = true;
  is_guarded = false;
}

void InterruptGuard::end_unprepared() {
  if (is_task) die_by(SIGINT);
}

Preparation::Preparation(const InterruptGuard& guard, std::vector<fs::path> made) : made_(std::move(made)) {
  prepared = &made_;
  if (!guard.requested()) return;
  prepared = nullptr;
  throw Interrupted();
}

Preparation::~Preparation() { prepared = nullptr; }

Deadline::Deadline(double seconds) {
  struct sigaction action {};
  action.sa_handler = time_is_up;
  sigemptyset(&action.sa_mask);
  action.sa_flags = SA_RESTART;
  sigaction(SIGALRM, &action, nullptr);
  // A timer of 0 would be no timer.
  const double longest = std::numeric_limits<std::int32_t>::max();
  const auto microseconds = static_cast<std::int64_t>(std::ceil(std::min(seconds, longest) * 1e6));
  const itimerval timer{{0, 10'000}, {microseconds / 1'000'000, microseconds % 1'000'000}};
  setitimer(ITIMER_REAL, &timer, nullptr);
}

Deadline::~Deadline() {
  const itimerval none{};
  setitimer(ITIMER_REAL, &none, nullptr);
  std::signal(SIGALRM, SIG_DFL);
}

}  // namespace reconverge::cli
