// SPDX-License-Identifier: Apache-2.0
#pragma once
/// The records that passed between parts of kernels: Fig. 3.4 of Popa (2004), as measured.

#include <boost/json/array.hpp>
#include <span>
#include <string>
#include <string_view>

#include "platforms/machine.hpp"

namespace reconverge::report {

/// A launch or a stage that ran in parts.
struct PartedRun {
  std::string_view name;
  std::span<const Traffic> traffic;  ///< empty: on a machine that does not cut kernels
};

inline constexpr const char* traffic_file = "traffic.dot";

/// For Graphviz: each run as a cluster, each arc with its records and bytes. Empty if nothing ran in parts.
std::string traffic_dot(std::span<const PartedRun> runs);

/// `[{from, to, records, bytes}]`.
boost::json::array traffic_json(std::span<const Traffic> traffic);

/// `[{name, runs, records}]`.
boost::json::array parts_json(std::span<const PartRuns> parts);

}  // namespace reconverge::report
