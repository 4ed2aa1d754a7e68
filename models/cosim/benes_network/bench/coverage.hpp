// SPDX-License-Identifier: Apache-2.0
#pragma once
/// Coverage of traffic for a Benes network: counts of the relevant cases, by name.

#include <cstdint>
#include <string>
#include <vector>

#include "models/cosim/benes_network/network_values.hpp"

namespace reconverge {

class NetworkCoverage {
 public:
  explicit NetworkCoverage(unsigned ports);

  /// Records each clock, with the values at the pins.
  void cycle(const NetworkInputs& inputs, const NetworkOutputs& outputs);

  /// Every bin with its count, one a line.
  std::string text() const;
  std::vector<std::string> empty_bins() const;

 private:
  struct Bin {
    std::string name;
    std::uint64_t count = 0;
  };

  void hit(std::size_t bin, bool happened = true) { bins_[bin].count += happened ? 1 : 0; }
  void see_request(const NetworkInputs& inputs, bool in_two);
  void see_both_banks(const RecordGroup& group, bool in_two);

  RecordPacking packing_;
  std::vector<Bin> bins_;
  std::size_t counts_;   // first bin of groups by their number of records
  std::size_t stripes_;  // by the next stripe of bank 0, then of bank 1
  bool asked_ = false;   // in the previous clock
  bool second_ = false;  // this is the second clock of a request
  bool behind_second_ = false;
};

}  // namespace reconverge
