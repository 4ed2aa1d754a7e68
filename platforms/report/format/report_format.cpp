// SPDX-License-Identifier: Apache-2.0
#include "platforms/report/format/report_format.hpp"

#include <fmt/format.h>

#include <string>

namespace reconverge::report {

bool is_ray_report(const JsonPlace& document) {
  const JsonPlace format = document.at("format");
  const std::string name = format.text();
  if (name != ray_report_format && name != launch_report_format) {
    format.refuse(fmt::format("is '{}', which is no report of a run", name));
  }
  const JsonPlace version = document.at("schema_version");
  if (version.count() > schema_version) {
    version.refuse(fmt::format("is {}, and this program reads {} and earlier ones: use the program that wrote it",
                               version.count(), schema_version));
  }
  return name == ray_report_format;
}

}  // namespace reconverge::report
