#include "platforms/cli/interrupt.hpp"

#include <sys/mman.h>

#include <atomic>
#include <cerrno>
#include <memory>
#include <system_error>

namespace reconverge::cli {

namespace {

using Flag = std::atomic<bool>;
static_assert(Flag::is_always_lock_free);

// A signal handler reaches nothing but what is global.
Flag* interrupted = nullptr;

bool left_to_parent = false;

/// In memory that processes forked later share.
Flag* make_flag() {
  void* page = mmap(nullptr, sizeof(Flag), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (page == MAP_FAILED) throw std::system_error(errno, std::generic_category(), "no shared memory");
  return std::construct_at(static_cast<Flag*>(page), false);
}

void handle(int signal) {
  if (interrupted->exchange(true)) {
    std::signal(signal, SIG_DFL);
    std::raise(signal);
  }
}

}  // namespace

InterruptGuard::InterruptGuard() {
  if (left_to_parent) return;
  if (interrupted == nullptr) interrupted = make_flag();
  *interrupted = false;
  struct sigaction action {};
  action.sa_handler = handle;
  sigemptyset(&action.sa_mask);
  action.sa_flags = SA_RESTART;
  sigaction(SIGINT, &action, &earlier_interrupt_);
  sigaction(SIGTERM, &action, &earlier_terminate_);
}

InterruptGuard::~InterruptGuard() {
  if (left_to_parent) return;
  sigaction(SIGINT, &earlier_interrupt_, nullptr);
  sigaction(SIGTERM, &earlier_terminate_, nullptr);
}

bool InterruptGuard::requested() const { return *interrupted; }

void InterruptGuard::leave_to_parent() {
  left_to_parent = true;
  std::signal(SIGINT, SIG_IGN);
  std::signal(SIGTERM, SIG_IGN);
}

InterruptsHeld::InterruptsHeld() {
  sigset_t both;
  sigemptyset(&both);
  sigaddset(&both, SIGINT);
  sigaddset(&both, SIGTERM);
  pthread_sigmask(SIG_BLOCK, &both, &earlier_);
}

InterruptsHeld::~InterruptsHeld() { pthread_sigmask(SIG_SETMASK, &earlier_, nullptr); }

}  // namespace reconverge::cli
