#include "platforms/cli/interrupt.hpp"

#include <atomic>

namespace reconverge::cli {

namespace {

// A signal handler reaches nothing but what is global.
std::atomic<bool> interrupted{false};
static_assert(std::atomic<bool>::is_always_lock_free);

void handle(int signal) {
  if (interrupted.exchange(true)) {
    std::signal(signal, SIG_DFL);
    std::raise(signal);
  }
}

}  // namespace

InterruptGuard::InterruptGuard() {
  interrupted = false;
  struct sigaction action {};
  action.sa_handler = handle;
  sigemptyset(&action.sa_mask);
  action.sa_flags = SA_RESTART;
  sigaction(SIGINT, &action, &earlier_interrupt_);
  sigaction(SIGTERM, &action, &earlier_terminate_);
}

InterruptGuard::~InterruptGuard() {
  sigaction(SIGINT, &earlier_interrupt_, nullptr);
  sigaction(SIGTERM, &earlier_terminate_, nullptr);
}

bool InterruptGuard::requested() const { return interrupted; }

}  // namespace reconverge::cli
