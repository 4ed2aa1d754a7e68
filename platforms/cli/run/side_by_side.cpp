// SPDX-License-Identifier: Apache-2.0
#include "platforms/cli/run/side_by_side.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <system_error>
#include <utility>
#include <vector>

#include "models/core/signals_held.hpp"

namespace reconverge::cli {

namespace {

[[noreturn]] void fail(const char* what) { throw std::system_error(errno, std::generic_category(), what); }

CapturedFile make_captured() {
  CapturedFile file(std::tmpfile());
  if (file == nullptr) fail("no temporary file");
  return file;
}

/// Null if nothing was written.
CapturedFile unless_empty(CapturedFile file) {
  if (std::fseek(file.get(), 0, SEEK_END) != 0 || std::ftell(file.get()) == 0) return nullptr;
  return file;
}

class Descriptor {
 public:
  explicit Descriptor(int handle) : handle_(handle) {}
  ~Descriptor() {
    if (handle_ >= 0) close(handle_);
  }
  Descriptor(Descriptor&& other) noexcept : handle_(std::exchange(other.handle_, -1)) {}
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  Descriptor& operator=(Descriptor&&) = delete;

  int get() const { return handle_; }

 private:
  int handle_;
};

/// The parent's view of a task's process. The pipe delivers lines of progress, and closes when the process ends,
/// however it ends.
class Process {
 public:
  Process(const SideBySide& plan, std::size_t task, const SignalsHeld& held) : Process(plan, task, held, make_pipe()) {}
  ~Process() {
    if (process_ <= 0) return;
    kill(process_, SIGKILL);
    waitpid(process_, nullptr, 0);
  }
  Process(const Process&) = delete;
  Process& operator=(const Process&) = delete;

  int pipe() const { return pipe_.get(); }
  std::size_t task() const { return task_; }
  const std::string& line() const { return line_; }

  /// Reads what is in the pipe; false at its end.
  bool read_progress() {
    std::array<char, 4096> buffer{};
    const ssize_t count = read(pipe_.get(), buffer.data(), buffer.size());
    if (count < 0 && errno == EINTR) return true;
    if (count <= 0) return false;
    unread_.append(buffer.data(), static_cast<std::size_t>(count));
    const std::size_t end = unread_.rfind('\n');
    if (end == std::string::npos) return true;
    const std::size_t before = end == 0 ? std::string::npos : unread_.rfind('\n', end - 1);
    const std::size_t begin = before == std::string::npos ? 0 : before + 1;
    line_ = unread_.substr(begin, end - begin);
    unread_.erase(0, end + 1);
    return true;
  }

  /// One signal is enough: a task that has begun to simulate shares the flag and ignores the signal.
  void tell_of_interrupt() {
    if (!std::exchange(told_, true)) kill(process_, SIGTERM);
  }

  /// Waits for the end of the process.
  Ending finish() {
    int status = 0;
    rusage used{};
    while (wait4(process_, &status, 0, &used) < 0 && errno == EINTR) continue;
    process_ = 0;
    Ending ending;
    ending.task = task_;
    ending.seconds = std::chrono::duration<double>(HostClock::now() - start_).count();
    constexpr std::uint64_t unit = 1024;  // of ru_maxrss
    ending.memory_bytes = static_cast<std::uint64_t>(used.ru_maxrss) * unit;
    if (WIFSIGNALED(status)) ending.signal = WTERMSIG(status);
    if (WIFEXITED(status)) ending.code = static_cast<ExitCode>(WEXITSTATUS(status));
    ending.output = unless_empty(std::move(output_));
    ending.errors = unless_empty(std::move(errors_));
    return ending;
  }

 private:
  using HostClock = std::chrono::steady_clock;

  struct Pipe {
    Descriptor read;
    Descriptor write;
  };
  static Pipe make_pipe() {
    std::array<int, 2> ends{};
    if (pipe2(ends.data(), O_CLOEXEC) != 0) fail("no pipe");
    return {Descriptor(ends[0]), Descriptor(ends[1])};
  }

  /// `pipe` closes the parent's copy of the write end when the constructor returns.
  Process(const SideBySide& plan, std::size_t task, const SignalsHeld& held, Pipe pipe)
      : task_(task),
        pipe_(std::move(pipe.read)),
        output_(make_captured()),
        errors_(make_captured()),
        process_(forked()) {
    if (process_ < 0) fail("no process can be started");
    if (process_ == 0) become_task(plan, held, pipe.write.get());
  }

  static pid_t forked() {
    // Otherwise the child would also write the parent's buffered output.
    std::fflush(stdout);
    std::fflush(stderr);
    return fork();
  }

  /// Runs in the new process, which ends here without returning: the caller's objects belong to the parent.
  [[noreturn]] void become_task(const SideBySide& plan, const SignalsHeld& held, int progress) const {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (plan.enter) plan.enter();
    pthread_sigmask(SIG_SETMASK, &held.earlier(), nullptr);
    constexpr int failure = static_cast<int>(ExitCode::internal_error);
    if (getppid() != parent_) _exit(failure);
    if (dup2(fileno(output_.get()), STDOUT_FILENO) < 0 || dup2(fileno(errors_.get()), STDERR_FILENO) < 0) {
      _exit(failure);
    }
    int code = failure;
    try {
      code = static_cast<int>(plan.work(task_, [progress](std::string_view line) {
        if (line.empty()) return;
        const std::string text = std::string(line) + '\n';
        if (write(progress, text.data(), text.size()) < 0) return;  // no reader is left
      }));
    } catch (...) {
      code = failure;
    }
    std::fflush(stdout);
    std::fflush(stderr);
    _exit(code);
  }

  std::size_t task_;
  Descriptor pipe_;
  CapturedFile output_;
  CapturedFile errors_;
  pid_t parent_ = getpid();
  pid_t process_ = 0;
  HostClock::time_point start_ = HostClock::now();
  bool told_ = false;
  std::string unread_;
  std::string line_;
};

using Processes = std::vector<std::unique_ptr<Process>>;

/// Waits until one of the processes has output, a signal arrives, or the time is over; signals are blocked everywhere
/// else.
std::vector<pollfd> wait_for(const Processes& running, const SignalsHeld& held,
                             const std::optional<std::chrono::milliseconds>& longest) {
  std::vector<pollfd> waiting;
  for (const auto& process : running) waiting.push_back({process->pipe(), POLLIN, 0});
  timespec time{};
  if (longest) {
    time.tv_sec = longest->count() / 1000;
    time.tv_nsec = longest->count() % 1000 * 1'000'000;
  }
  if (ppoll(waiting.data(), waiting.size(), longest ? &time : nullptr, &held.earlier()) < 0) {
    if (errno != EINTR) fail("poll");
    for (pollfd& each : waiting) each.revents = 0;
  }
  return waiting;
}

void show(const SideBySide& plan, const Processes& running) {
  std::vector<TaskProgress> lines;
  for (const auto& process : running) lines.push_back({process->task(), process->line()});
  plan.progress(lines);
}

}  // namespace

void copy(const CapturedFile& captured, std::FILE* to) {
  std::rewind(captured.get());
  std::array<char, 4096> buffer{};
  while (const std::size_t count = std::fread(buffer.data(), 1, buffer.size(), captured.get())) {
    std::fwrite(buffer.data(), 1, count, to);
  }
}

std::function<std::optional<std::size_t>()> in_order(std::size_t tasks, std::function<bool()> may_start) {
  return [tasks, may_start = std::move(may_start), next = std::size_t{0}]() mutable -> std::optional<std::size_t> {
    if (next < tasks && !may_start()) next = tasks;
    if (next == tasks) return std::nullopt;
    return next++;
  };
}

void run_side_by_side(const SideBySide& plan) {
  const SignalsHeld held;
  Processes running;
  while (true) {
    while (running.size() < plan.at_once) {
      const std::optional<std::size_t> next = plan.next();
      if (!next) break;
      running.push_back(std::make_unique<Process>(plan, *next, held));
    }
    if (running.empty()) return;
    if (plan.interrupted()) {
      for (const auto& process : running) process->tell_of_interrupt();
    }
    show(plan, running);
    const std::vector<pollfd> waiting = wait_for(running, held, plan.wake);
    Processes still;
    for (std::size_t i = 0; i < running.size(); ++i) {
      if (waiting[i].revents == 0 || running[i]->read_progress()) {
        still.push_back(std::move(running[i]));
      } else {
        plan.ended(running[i]->finish());
      }
    }
    running = std::move(still);
  }
}

}  // namespace reconverge::cli
