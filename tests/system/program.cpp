// SPDX-License-Identifier: Apache-2.0
#include "tests/system/program.hpp"

#include <fcntl.h>
#include <grp.h>
#include <pty.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <stdexcept>

namespace reconverge::tests {

namespace {

namespace fs = std::filesystem;

void redirect(int descriptor, const fs::path& file) {
  const int opened = open(file.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0666);
  if (opened < 0 || dup2(opened, descriptor) < 0) _exit(cannot_start);
}

/// In the child; does not return.
[[noreturn]] void become_program(const std::vector<std::string>& arguments, const ProgramOptions& options,
                                 const fs::path& captured) {
  if (!options.terminal) {
    redirect(STDOUT_FILENO, options.output_file.empty() ? captured / "output" : fs::path(options.output_file));
    redirect(STDERR_FILENO, captured / "errors");
  }
  if (chdir(options.folder.c_str()) != 0) _exit(cannot_start);
  if (options.file_size_limit) {
    const rlimit limit{*options.file_size_limit, *options.file_size_limit};
    setrlimit(RLIMIT_FSIZE, &limit);
  }
  if (options.memory_limit) {
    const rlimit limit{*options.memory_limit, *options.memory_limit};
    setrlimit(RLIMIT_AS, &limit);
  }
  // Regardless of how the tests were started, for example by nohup.
  for (const int signal : {SIGHUP, SIGPIPE}) std::signal(signal, SIG_DFL);
  if (options.cpu_seconds) {
    const rlimit limit{*options.cpu_seconds, *options.cpu_seconds + 1};
    setrlimit(RLIMIT_CPU, &limit);
  }
  constexpr unsigned nobody = 65534;
  if (options.unprivileged && geteuid() == 0) {
    if (setgroups(0, nullptr) != 0 || setgid(nobody) != 0 || setuid(nobody) != 0) _exit(cannot_start);
  }
  std::vector<std::string> variables = options.environment;
  for (std::string& variable : variables) putenv(variable.data());
  std::vector<std::string> words{options.program};
  words.insert(words.end(), arguments.begin(), arguments.end());
  std::vector<char*> pointers;
  for (std::string& word : words) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  execv(pointers.front(), pointers.data());
  _exit(cannot_start);
}

}  // namespace

RunningProgram::RunningProgram(const std::vector<std::string>& arguments, const ProgramOptions& options) {
  std::string name = (fs::temp_directory_path() / "reconverge.XXXXXX").string();
  if (mkdtemp(name.data()) == nullptr) throw std::runtime_error("no temporary folder can be made");
  captured_ = name;
  const winsize size{40, 200, 0, 0};
  process_ = options.terminal ? forkpty(&terminal_, nullptr, nullptr, &size) : fork();
  if (process_ < 0) throw std::runtime_error("no process can be started");
  if (process_ == 0) become_program(arguments, options, captured_);
}

RunningProgram::~RunningProgram() {
  if (!status_) {
    kill(process_, SIGKILL);
    waitpid(process_, nullptr, 0);
  }
  if (terminal_ >= 0) close(terminal_);
  std::error_code ignored;
  fs::remove_all(captured_, ignored);
}

void RunningProgram::collect(int options) {
  int status = 0;
  rusage usage{};
  if (status_ || wait4(process_, &status, options, &usage) != process_) return;
  status_ = status;
  peak_bytes_ = static_cast<std::uint64_t>(usage.ru_maxrss) * 1024;
}

bool RunningProgram::ended() {
  collect(WNOHANG);
  return status_.has_value();
}

void RunningProgram::send(int signal) const { kill(process_, signal); }

void RunningProgram::send_two() const {
  for (const int signal : {SIGSTOP, SIGINT, SIGTERM, SIGCONT}) send(signal);
}

void RunningProgram::type(const std::string& text) const {
  if (write(terminal_, text.data(), text.size()) < 0) throw std::runtime_error("the terminal takes no input");
}

bool RunningProgram::wait_for(const std::vector<std::string>& parts) {
  const auto shown = [&](const std::string& part) { return output_.find(part) != std::string::npos; };
  while (!std::all_of(parts.begin(), parts.end(), shown)) {
    if (!read_terminal()) return false;
  }
  return true;
}

bool RunningProgram::read_terminal() {
  std::array<char, 4096> buffer{};
  while (true) {
    const ssize_t count = read(terminal_, buffer.data(), buffer.size());
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return false;
    output_.append(buffer.data(), static_cast<std::size_t>(count));
    return true;
  }
}

ProgramResult RunningProgram::wait() {
  while (terminal_ >= 0 && read_terminal()) continue;
  collect(0);
  ProgramResult result;
  result.peak_bytes = peak_bytes_;
  if (status_ && WIFEXITED(*status_)) result.exit_code = WEXITSTATUS(*status_);
  if (status_ && WIFSIGNALED(*status_)) result.signal = WTERMSIG(*status_);
  result.output = terminal_ >= 0 ? output_ : read_file(captured_ / "output");
  result.errors = read_file(captured_ / "errors");
  return result;
}

ProgramResult run_program(const std::vector<std::string>& arguments, const ProgramOptions& options) {
  return RunningProgram(arguments, options).wait();
}

std::vector<std::string> small_run(const std::vector<std::string>& more) {
  std::vector<std::string> arguments{"run", RECONVERGE_SOURCE_DIR "/yaml/experiments/conference.yaml"};
  for (const auto* each : {"workload.scene=box", "workload.width=16", "workload.height=12", "workload.bounces=2",
                           "gpu.sms=2", "gpu.sm.warp_slots=16"}) {
    arguments.insert(arguments.end(), {"--set", each});
  }
  arguments.insert(arguments.end(), more.begin(), more.end());
  return arguments;
}

std::string read_file(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

std::vector<std::string> names_in(const fs::path& folder) {
  std::vector<std::string> names;
  std::error_code missing;
  for (const auto& entry : fs::directory_iterator(folder, missing)) names.push_back(entry.path().filename().string());
  std::sort(names.begin(), names.end());
  return names;
}

bool is_one_complaint(const std::string& text) {
  return text.starts_with("reconverge: error: ") && std::count(text.begin(), text.end(), '\n') == 1 &&
         text.ends_with('\n');
}

}  // namespace reconverge::tests
