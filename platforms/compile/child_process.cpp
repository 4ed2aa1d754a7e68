// SPDX-License-Identifier: Apache-2.0
#include "platforms/compile/child_process.hpp"

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <system_error>

namespace reconverge::compile {

namespace {

[[noreturn]] void fail(int error, const char* what) { throw std::system_error(error, std::generic_category(), what); }

class Pipe {
 public:
  Pipe() {
    if (pipe2(ends_.data(), O_CLOEXEC) != 0) fail(errno, "no pipe");
  }
  ~Pipe() {
    close(ends_[0]);
    close_write();
  }
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;

  int read_end() const { return ends_[0]; }
  int write_end() const { return ends_[1]; }
  void close_write() {
    if (ends_[1] >= 0) close(ends_[1]);
    ends_[1] = -1;
  }

 private:
  std::array<int, 2> ends_{};
};

/// A file in memory: it takes any number of messages without a reader, as a pipe would not.
class MemoryFile {
 public:
  MemoryFile() : file_(memfd_create("messages", MFD_CLOEXEC)) {
    if (file_ < 0) fail(errno, "no file in memory");
  }
  ~MemoryFile() { close(file_); }
  MemoryFile(const MemoryFile&) = delete;
  MemoryFile& operator=(const MemoryFile&) = delete;

  int descriptor() const { return file_; }
  std::string contents() const {
    std::string text;
    std::array<char, 4096> buffer{};
    for (ssize_t count = 0;; text.append(buffer.data(), static_cast<std::size_t>(count))) {
      count = pread(file_, buffer.data(), buffer.size(), static_cast<off_t>(text.size()));
      if (count <= 0) return text;
    }
  }

 private:
  int file_;
};

/// The actions of posix_spawn in the new process.
class SpawnPlan {
 public:
  /// `messages`: null keeps our standard error.
  SpawnPlan(int output, const MemoryFile* messages) {
    posix_spawn_file_actions_init(&actions_);
    posix_spawn_file_actions_adddup2(&actions_, output, STDOUT_FILENO);
    if (messages != nullptr) posix_spawn_file_actions_adddup2(&actions_, messages->descriptor(), STDERR_FILENO);
    posix_spawnattr_init(&attributes_);
    posix_spawnattr_setflags(&attributes_, POSIX_SPAWN_SETPGROUP);
    posix_spawnattr_setpgroup(&attributes_, 0);
  }
  ~SpawnPlan() {
    posix_spawnattr_destroy(&attributes_);
    posix_spawn_file_actions_destroy(&actions_);
  }
  SpawnPlan(const SpawnPlan&) = delete;
  SpawnPlan& operator=(const SpawnPlan&) = delete;

  /// Nothing if the program does not exist.
  std::optional<pid_t> spawn(std::vector<std::string> words) const {
    std::vector<char*> pointers;
    pointers.reserve(words.size() + 1);
    for (std::string& word : words) pointers.push_back(word.data());
    pointers.push_back(nullptr);
    pid_t process = 0;
    const int error = posix_spawnp(&process, pointers.front(), &actions_, &attributes_, pointers.data(), environ);
    if (error == ENOENT || error == EACCES || error == ENOTDIR) return std::nullopt;
    if (error != 0) fail(error, "no process can be started");
    return process;
  }

 private:
  posix_spawn_file_actions_t actions_{};
  posix_spawnattr_t attributes_{};
};

/// Whether the process has ended; it remains waitable.
bool has_ended(pid_t process) {
  siginfo_t information{};
  return waitid(P_PID, static_cast<id_t>(process), &information, WEXITED | WNOHANG | WNOWAIT) != 0 ||
         information.si_pid == process;
}

/// Reads what is in the pipe now: all output of a process that has ended. Other processes may keep the pipe open for
/// any time.
std::string read_waiting(const Pipe& pipe) {
  int bytes = 0;
  if (ioctl(pipe.read_end(), FIONREAD, &bytes) != 0) fail(errno, "no bytes of a pipe");
  std::string text(static_cast<std::size_t>(bytes), '\0');
  std::size_t done = 0;
  while (done < text.size()) {
    const ssize_t count = read(pipe.read_end(), text.data() + done, text.size() - done);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) break;
    done += static_cast<std::size_t>(count);
  }
  text.resize(done);
  return text;
}

}  // namespace

std::optional<ChildResult> run_child(const std::vector<std::string>& words, const std::function<bool()>& interrupted,
                                     Messages messages) {
  Pipe pipe;
  std::optional<MemoryFile> captured;
  if (messages == Messages::captured) captured.emplace();
  const std::optional<pid_t> process = SpawnPlan(pipe.write_end(), captured ? &*captured : nullptr).spawn(words);
  if (!process) return std::nullopt;
  pipe.close_write();
  ChildResult result;
  constexpr int milliseconds = 100;  // a signal may arrive between the check and the wait
  for (bool open = true; open;) {
    if (!result.stopped && interrupted()) {
      kill(-*process, SIGKILL);
      result.stopped = true;
    }
    if (has_ended(*process)) {
      result.output += read_waiting(pipe);
      break;
    }
    pollfd waiting{pipe.read_end(), POLLIN, 0};
    if (poll(&waiting, 1, milliseconds) <= 0) continue;
    std::array<char, 65536> buffer{};
    const ssize_t count = read(pipe.read_end(), buffer.data(), buffer.size());
    if (count > 0) result.output.append(buffer.data(), static_cast<std::size_t>(count));
    open = count > 0 || (count < 0 && errno == EINTR);
  }
  int status = 0;
  while (waitpid(*process, &status, 0) < 0 && errno == EINTR) continue;
  result.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  if (captured) result.messages = captured->contents();
  return result;
}

}  // namespace reconverge::compile
