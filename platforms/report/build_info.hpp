// SPDX-License-Identifier: Apache-2.0
#pragma once
/// The program that made a report.

#include <string_view>

namespace reconverge::report {

struct BuildInfo {
  std::string_view version;       ///< of the project, "1.0.0-rc1"
  std::string_view release_date;  ///< of the version, "2026-11-30"
  std::string_view compiler;      ///< "GNU 12.2.0"
  std::string_view build_type;
  std::string_view instruction_set;  ///< of the lanes, here: "AVX-512", "AVX2" or "portable"; changes no result
};

BuildInfo build_info();

}  // namespace reconverge::report
