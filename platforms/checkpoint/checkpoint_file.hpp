// SPDX-License-Identifier: Apache-2.0
#pragma once
/// The file of a checkpoint: a first line, then records with their size and checksum. It grows by one record after each
/// launch, so that it remains valid if a run is killed: readers ignore a truncated record.

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <vector>

#include "platforms/report/lone_file.hpp"

namespace reconverge {

inline constexpr report::FileKind checkpoint_kind{"a checkpoint of Reconverge", "reconverge checkpoint"};

/// The kinds of records. The first record of a file identifies the run; each launch has a record, and after some
/// launches there is a record with the state of the machine.
enum class CheckpointRecord : std::uint8_t { run, launch, state };

class CheckpointReader {
 public:
  struct Place {
    CheckpointRecord kind;
    std::uint64_t begin;  ///< of its contents
    std::uint64_t bytes;
    std::uint64_t end() const { return begin + bytes; }
  };

  /// Throws InputError for a file that is not a checkpoint.
  explicit CheckpointReader(std::filesystem::path file);

  const std::filesystem::path& file() const { return file_; }
  const std::vector<Place>& records() const { return records_; }
  /// Throws InputError if the checksum shows that the file is damaged.
  std::string read(const Place& place);

 private:
  std::filesystem::path file_;
  std::ifstream in_;
  std::vector<Place> records_;
};

class CheckpointWriter {
 public:
  /// A new file.
  explicit CheckpointWriter(std::filesystem::path file);
  /// Continues a file after its first `bytes` bytes.
  CheckpointWriter(std::filesystem::path file, std::uint64_t bytes);

  /// Throws report::OutputError.
  void append(CheckpointRecord kind, std::string_view contents);

 private:
  void put(std::string_view bytes);

  std::filesystem::path file_;
  std::ofstream out_;
};

}  // namespace reconverge
