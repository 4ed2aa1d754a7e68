// SPDX-License-Identifier: Apache-2.0
#include "platforms/cuda/process.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <new>
#include <utility>

#include "models/core/error.hpp"
#include "models/core/host_error.hpp"
#include "platforms/cuda/places.hpp"
#include "platforms/cuda/process_report.hpp"
#include "platforms/cuda/program_name.hpp"
#include "platforms/report/output_error.hpp"

// SystemC's library has a function main, which calls this; programs have their own.
extern "C" [[gnu::visibility("default")]] int sc_main(int /*argc*/, char** /*argv*/) { return EXIT_SUCCESS; }

namespace reconverge::cuda {

namespace {

// As the exit codes of `reconverge run`.
constexpr int bad_input = 2;
constexpr int output_failed = 4;
constexpr int internal_error = 5;
constexpr int shell_signal = 128;

thread_local cudaError_t last = cudaSuccess;

Settings settings_of_environment() {
  const char* const text = std::getenv(settings_variable);
  if (text == nullptr) {
    throw InputError({},
                     fmt::format("{} is a CUDA program, and was not started by reconverge", program_path().string()),
                     "start it with: reconverge exec PROGRAM ARGUMENTS");
  }
  return settings_from(text);
}

/// Ends the process like the signal without this library, but with a report.
void on_signal(int signal) {
  Process& state = process();
  if (state.running && (signal == SIGINT || signal == SIGTERM || signal == SIGHUP)) {
    Device::interrupted = signal;
    return;
  }
  std::signal(signal, SIG_DFL);
  // If the report waits for a lock that this thread holds, the alarm ends the process.
  std::signal(SIGALRM, SIG_DFL);
  ::alarm(20);
  state.finish(false);
  ::raise(signal);
}

/// Signals that may arrive several times for one end: Ctrl-C reaches the program and its parent.
sigset_t ending_signals() {
  sigset_t signals;
  sigemptyset(&signals);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) sigaddset(&signals, signal);
  return signals;
}

/// A program with handlers decides how it ends.
void handle_signals() {
  for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGABRT, SIGSEGV, SIGBUS, SIGFPE, SIGILL}) {
    struct sigaction known {};
    ::sigaction(signal, nullptr, &known);
    if (known.sa_handler != SIG_DFL) continue;
    struct sigaction ours {};
    ours.sa_handler = on_signal;
    ours.sa_mask = ending_signals();
    ours.sa_flags = SA_RESTART;
    ::sigaction(signal, &ours, nullptr);
  }
}

}  // namespace

Process& process() {
  // Never destroyed: destructors of the program may still free memory.
  static Process& the_process = *std::make_unique<Process>().release();
  return the_process;
}

void complain(std::string_view message) {
  std::fflush(stdout);
  fmt::print(stderr, "reconverge: error: {}\n", message);
}

cudaError_t note(cudaError_t code) noexcept {
  if (code != cudaSuccess) last = code;
  return code;
}

cudaError_t last_error(bool clear) noexcept {
  const cudaError_t code = last;
  if (clear) last = process().fault != cudaSuccess && code == process().fault ? code : cudaSuccess;
  return code;
}

cudaError_t code_of_exception(Process& state) noexcept {
  try {
    throw;
  } catch (const Refusal& refusal) {
    return refusal.code;
  } catch (const InputError& error) {
    complain(error.what());
    return cudaErrorUnknown;
  } catch (const std::bad_alloc&) {
    return cudaErrorMemoryAllocation;
  } catch (const HostError& error) {
    complain(error.what());
    return cudaErrorOperatingSystem;
  } catch (const std::exception& error) {
    complain(fmt::format("internal error: {}", error.what()));
    state.stop(internal_error);
  }
}

void Process::make_device() {
  settings_ = settings_of_environment();
  recordings_ = std::make_unique<trace::Recordings>(settings_->recordings, settings_->force);
  device_ = std::make_unique<Device>(*settings_, load_platform(*settings_), recordings_->prepare());
  folder_ = std::make_unique<report::OutputFolder>(settings_->folder);
  folder_->claim(file_names(modules), settings_->force);
  process_ = ::getpid();
  std::atexit([] { process().finish(process().fault == cudaSuccess); });
  handle_signals();
}

Device& Process::device() {
  if (device_) return *device_;
  try {
    make_device();
    return *device_;
  } catch (const report::OutputError& error) {
    complain(error.what());
    std::_Exit(output_failed);
  } catch (const InputError& error) {
    complain(error.what());
    std::_Exit(bad_input);
  } catch (const std::exception& error) {
    complain(fmt::format("internal error: {}", error.what()));
    std::_Exit(internal_error);
  }
}

void Process::place_managed_variables() {
  for (const ManagedVariable& variable : modules.managed()) {
    DeviceMemory& memory = device().memory();
    const DeviceAddress address = variable.name.module->managed_variable(variable.name.name, memory, variable.host);
    device().add_managed(address);
    if (variable.pointer == nullptr) continue;
    *variable.pointer = pointer_to(address);
    modules.name_variable(*variable.pointer, variable.name);  // the host's name of the symbol
  }
}

void Process::finish(bool complete) noexcept {
  const std::unique_ptr<report::OutputFolder> folder = std::move(folder_);
  if (!folder || process_ != ::getpid()) return;
  std::fflush(stdout);
  try {
    if (fault != cudaSuccess) write_log_of_error();
    if (device_->plan().order.empty()) return;
    if (complete) device_->end();
    const std::string json_report = write_report(*settings_, *device_, modules, *folder);
    if (fault == cudaSuccess) recordings_->write(json_report);
  } catch (const std::exception& error) {
    complain(error.what());
    std::_Exit(output_failed);
  }
}

void Process::write_log_of_error() {
  const std::string log = recordings_->write_log_of_error();
  if (!log.empty()) fmt::print(stderr, "reconverge: {}\n", log);
}

void Process::stop(int exit_code) noexcept {
  if (folder_ && device_->plan().order.empty())
    fmt::print(stderr, "reconverge: the program was stopped before its first kernel ended; there is no report\n");
  sigset_t signals = ending_signals();
  ::pthread_sigmask(SIG_BLOCK, &signals, nullptr);
  finish(false);
  const int signal = exit_code - shell_signal;
  if (signal > 0) {
    ::pthread_sigmask(SIG_UNBLOCK, &signals, nullptr);
    std::signal(signal, SIG_DFL);
    ::raise(signal);
  }
  std::fflush(nullptr);
  std::_Exit(exit_code);
}

}  // namespace reconverge::cuda
