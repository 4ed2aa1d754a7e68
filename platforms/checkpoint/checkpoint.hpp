// SPDX-License-Identifier: Apache-2.0
#pragma once
/// Stores a run after its launches, so that a later run of the same experiment can continue there, with the same report
/// as an uninterrupted run.
///
/// A run consists of launches and of the host's work between them. The later run repeats the host's work and, for each
/// stored launch, restores its results and the memory that it changed. It then restores the machine: caches, open rows
/// of DRAM, simulated time.

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "platforms/checkpoint/checkpoint_file.hpp"
#include "platforms/launch/session.hpp"

namespace reconverge {

struct CheckpointOptions {
  std::string to;           ///< the file that is written; empty: none
  std::uint64_t every = 1;  ///< the machine's state is stored after each launch whose number is a multiple
  std::string from;         ///< the file to continue from; empty: none

  bool any() const { return !to.empty() || !from.empty(); }
};

class Checkpoint {
 public:
  /// The properties that a run must have in common with the run that stored it, and its limits.
  struct Run {
    std::string identity;   ///< of equal runs, as a JSON object
    Cycle most_cycles = 0;  ///< of all launches together; 0: no limit
    bool force = false;     ///< as in report::check_place
  };

  /// Throws InputError if the file to continue from is of another run, and report::OutputError.
  Checkpoint(CheckpointOptions options, Run run);

  /// Replaces Session::run for all launches of a run.
  launch::LaunchResult run(launch::Session& session, const Launch& launch, const KeepGoing& keep_going);

  /// Launches that are restored.
  std::uint64_t restored() const { return restored_; }

 private:
  void open_earlier();
  /// Opens the file at the first record, so that a run that never begins leaves no file.
  CheckpointWriter& writer();
  launch::LaunchResult restore(launch::Session& session, const Launch& launch);
  launch::LaunchResult run_and_store(launch::Session& session, const Launch& launch, const KeepGoing& keep_going);

  CheckpointOptions options_;
  Run run_;
  std::unique_ptr<CheckpointReader> reader_;
  std::optional<CheckpointWriter> writer_;
  bool continues_ = false;  // the run was restored from this file
  std::uint64_t restored_ = 0;
  std::size_t kept_ = 0;  // records of the earlier file: all up to the last state
  std::size_t next_ = 0;  // of these
  std::uint64_t launch_ = 0;
  Cycle restored_cycles_ = 0;
};

}  // namespace reconverge
