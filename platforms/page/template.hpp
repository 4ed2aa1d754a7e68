// SPDX-License-Identifier: Apache-2.0
#pragma once
/// The pages without their data. Markup, style, script and chart library are combined when the program is built.

#include <string>

namespace reconverge::page {

struct PageTemplate {
  std::string before_title;
  std::string before_data;
  std::string after_data;
};

/// Of reports.
PageTemplate page_template();
/// Of a sweep.
PageTemplate sweep_template();

}  // namespace reconverge::page
