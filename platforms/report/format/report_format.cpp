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
  return name == ray_report_format;
}

}  // namespace reconverge::report
