// SPDX-License-Identifier: Apache-2.0
#pragma once
/// An FST file as its readers see it.

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>

namespace reconverge::tests {

/// A signal: the values that it takes, by time, highest bit first.
struct ReadSignal {
  unsigned width = 0;
  std::map<std::uint64_t, std::string> changes;

  /// Empty before the first change.
  std::string at(std::uint64_t time) const;
};

/// By full name, with dots between scopes and without ranges.
using ReadSignals = std::map<std::string, ReadSignal>;

/// With the reader from GTKWave's code.
ReadSignals read_fst(const std::filesystem::path& file);

/// From the text of a VCD, such as the program fst2vcd makes of an FST.
ReadSignals read_vcd(const std::string& text);

}  // namespace reconverge::tests
