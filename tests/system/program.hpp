// SPDX-License-Identifier: Apache-2.0
#pragma once
/// The program as its users see it: arguments in; exit code, standard output and standard error out.

#include <sys/types.h>

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace reconverge::tests {

struct ProgramResult {
  int exit_code = -1;  ///< -1 if a signal ended it
  int signal = 0;
  std::string output;
  std::string errors;
  std::uint64_t peak_bytes = 0;  ///< the most memory that it had at once
};

struct ProgramOptions {
  std::filesystem::path folder = RECONVERGE_SOURCE_DIR;  ///< the current folder
  std::optional<std::uint64_t> file_size_limit{};        ///< bytes that a file may have, as on a full disk
  std::optional<std::uint64_t> memory_limit{};           ///< bytes of address space, as on a small machine
  std::string output_file{};                             ///< standard output goes there instead
  bool unprivileged = false;                             ///< root runs it as user `nobody`, so that permissions apply
  std::optional<unsigned> cpu_seconds{};                 ///< that a process may use before SIGXCPU kills it
  bool terminal = false;  ///< standard output and error are a terminal; all text is in `output`
  std::string program = RECONVERGE_PROGRAM;
  std::vector<std::string> environment{};  ///< `NAME=value`, in addition to what it inherits
};

/// The exit code of a program that could not be started.
inline constexpr int cannot_start = 126;

/// A running program.
class RunningProgram {
 public:
  explicit RunningProgram(const std::vector<std::string>& arguments, const ProgramOptions& options = {});
  ~RunningProgram();
  RunningProgram(const RunningProgram&) = delete;
  RunningProgram& operator=(const RunningProgram&) = delete;

  bool ended();
  void send(int signal) const;
  /// Sends SIGINT and SIGTERM together, so that the program gets both before it does anything else.
  void send_two() const;
  pid_t process() const { return process_; }
  /// On a terminal: input as from its keyboard; "\x03" is Ctrl-C.
  void type(const std::string& text) const;
  /// On a terminal: waits until all of `parts` have been shown. False if the program ends first.
  bool wait_for(const std::vector<std::string>& parts);
  ProgramResult wait();

 private:
  /// How the program ended, once it has.
  void collect(int options);
  /// Reads the terminal's next output; false if the program has closed its end.
  bool read_terminal();

  pid_t process_ = 0;
  int terminal_ = -1;
  std::optional<int> status_;
  std::uint64_t peak_bytes_ = 0;
  std::string output_;
  std::filesystem::path captured_;
};

ProgramResult run_program(const std::vector<std::string>& arguments, const ProgramOptions& options = {});

/// The conference experiment, reduced: `run` and its arguments.
std::vector<std::string> small_run(const std::vector<std::string>& more = {});

std::string read_file(const std::filesystem::path& file);
/// The names in a folder, sorted; empty if there is no such folder.
std::vector<std::string> names_in(const std::filesystem::path& folder);
/// Whether `text` is one line that begins as all error messages do.
bool is_one_complaint(const std::string& text);

}  // namespace reconverge::tests
