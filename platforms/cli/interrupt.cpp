#include "platforms/cli/interrupt.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <memory>
#include <system_error>
#include <utility>

#include "platforms/cli/exit_code.hpp"
#include "platforms/cli/print.hpp"

namespace reconverge::cli {

namespace {

namespace fs = std::filesystem;

using Flag = std::atomic<bool>;
static_assert(Flag::is_always_lock_free);

// A signal handler reaches nothing but what is global.
Flag* interrupted = nullptr;
std::atomic<const std::vector<fs::path>*> prepared = nullptr;  ///< the folders of a Preparation
Flag is_task = false;
Flag is_guarded = false;

/// In memory that processes forked later share.
Flag* make_flag() {
  void* page = mmap(nullptr, sizeof(Flag), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (page == MAP_FAILED) throw std::system_error(errno, std::generic_category(), "no shared memory");
  return std::construct_at(static_cast<Flag*>(page), false);
}

void die_by(int signal) {
  std::signal(signal, SIG_DFL);
  std::raise(signal);
}

void handle(int signal) {
  const bool is_second = !is_task && interrupted->exchange(true);
  const std::vector<fs::path>* made = prepared;
  if (made != nullptr) {
    for (auto each = made->rbegin(); each != made->rend(); ++each) rmdir(each->c_str());
    if (!is_task) _exit(static_cast<int>(ExitCode::interrupted));
  }
  // A terminal that closes may send SIGHUP more than once.
  const bool at_once = is_task ? made != nullptr || !is_guarded : is_second && signal != SIGHUP;
  if (at_once) die_by(signal);
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

Preparation::Preparation(const InterruptGuard& guard, std::vector<fs::path> made) : made_(std::move(made)) {
  prepared = &made_;
  if (!guard.requested()) return;
  prepared = nullptr;
  throw Interrupted();
}

Preparation::~Preparation() { prepared = nullptr; }

}  // namespace reconverge::cli
