// SPDX-License-Identifier: Apache-2.0
#pragma once
/// Named counts of cases.

#include <fmt/format.h>

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace reconverge {

class CoverageBins {
 public:
  /// Adds a bin for each name. Returns the number of the first; the others follow.
  std::size_t add(const std::string& about, std::span<const char* const> names) {
    const std::size_t first = bins_.size();
    for (const char* name : names) bins_.push_back({fmt::format("{}: {}", about, name), 0});
    return first;
  }

  void hit(std::size_t bin) { ++bins_[bin].count; }
  void hit_if(bool happens, std::size_t bin) {
    if (happens) hit(bin);
  }

  /// Every bin with its count, one a line.
  std::string text() const {
    std::string text;
    for (const Bin& bin : bins_) text += fmt::format("{:>12} {}\n", bin.count, bin.name);
    return text;
  }

  std::vector<std::string> empty() const {
    std::vector<std::string> names;
    for (const Bin& bin : bins_) {
      if (bin.count == 0) names.push_back(bin.name);
    }
    return names;
  }

 private:
  struct Bin {
    std::string name;
    std::uint64_t count;
  };
  std::vector<Bin> bins_;
};

}  // namespace reconverge
