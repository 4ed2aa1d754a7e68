// SPDX-License-Identifier: Apache-2.0
#pragma once
/// Events over time in Perfetto's form: tracks with slices and samples of counters. docs/trace.md lists the tracks of a
/// run. One nanosecond of the trace represents one clock cycle.

#include <compare>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace reconverge::trace {

/// Index into Trace::names.
using NameId = std::uint32_t;
inline constexpr NameId no_name = 0;  ///< that of the empty text

enum class TrackKind : std::uint8_t { process, thread, slices, counter };

struct Track {
  std::uint64_t uuid = 0;    ///< unique, not 0
  std::uint64_t parent = 0;  ///< uuid; 0: none. The parent comes before this one
  TrackKind kind = TrackKind::slices;
  std::string name;
  std::int32_t pid = 0;  ///< of processes and threads
  std::int32_t tid = 0;  ///< of threads

  bool operator==(const Track&) const = default;
};

enum class ArgumentKind : std::uint8_t { number, address, text };

struct Argument {
  NameId name = no_name;
  ArgumentKind kind = ArgumentKind::number;
  std::uint64_t value = 0;  ///< the NameId of a text

  bool operator==(const Argument&) const = default;
};

/// An interval with a begin and an end. The slices of a track nest.
struct Slice {
  std::uint32_t track = 0;  ///< index
  NameId category = no_name;
  NameId name = no_name;
  std::uint64_t begin = 0;
  std::uint64_t end = 0;    ///< the first nanosecond after it
  std::uint32_t depth = 0;  ///< number of enclosing slices
  std::vector<Argument> arguments;
  std::vector<std::uint64_t> flows;  ///< arrows, by numbers: from the first slice with a number to the next
};

struct Sample {
  std::uint32_t track = 0;  ///< index
  std::uint64_t time = 0;
  std::int64_t value = 0;

  bool operator==(const Sample&) const = default;
};

/// Identifies the trace of a run.
struct TraceUuid {
  std::uint64_t high = 0;
  std::uint64_t low = 0;

  bool operator==(const TraceUuid&) const = default;
};

/// For the run that left a report.json with this SHA-256, in 64 hexadecimal digits: the first half of it.
TraceUuid uuid_of(std::string_view sha256);

struct Trace {
  TraceUuid uuid;
  std::vector<std::string> names{std::string()};
  std::vector<Track> tracks;
  std::vector<Slice> slices;
  std::vector<Sample> samples;

  const std::string& name(NameId id) const { return names[id]; }
  /// The argument of that name; null: there is none.
  const Argument* find(const Slice& slice, std::string_view name) const {
    for (const Argument& argument : slice.arguments) {
      if (names[argument.name] == name) return &argument;
    }
    return nullptr;
  }
};

/// Ids of texts; each text is stored once.
class Names {
 public:
  explicit Names(std::vector<std::string>& all) : all_(all) {}

  NameId of(std::string_view text) {
    if (text.empty()) return no_name;
    const auto known = ids_.find(text);
    if (known != ids_.end()) return known->second;
    all_.emplace_back(text);
    return ids_.emplace(text, static_cast<NameId>(all_.size() - 1)).first->second;
  }

 private:
  std::vector<std::string>& all_;
  std::map<std::string, NameId, std::less<>> ids_;
};

/// The bytes at the beginning of every file of `to_perfetto` and few other files: the fields of its first packet before
/// the bytes of its UUID.
inline constexpr std::string_view file_mark = "\x50\x01\x68\x01\xb8\x05\x01\xca\x05";

/// A file in Perfetto's format; the same trace gives the same bytes. The slices of a track nest, and those without
/// duration are in the order in which they occurred.
std::string to_perfetto(const Trace& trace);

/// Reads a file written by `to_perfetto`. Slices are in the order in which they begin. Throws InputError, with the
/// number of the packet and the byte where it begins, for anything else: messages and fields that Reconverge does not
/// write, tracks without description, slices without begin or end, time that goes backward, sequences with wrong flags.
Trace from_perfetto(std::string_view bytes);

}  // namespace reconverge::trace
