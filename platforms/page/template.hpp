#pragma once
/// The page without its runs. Markup, style, script and chart library are put together when the program is built.

#include <string_view>

namespace reconverge::page {

struct PageTemplate {
  std::string_view before_title;
  std::string_view before_data;
  std::string_view after_data;
};

PageTemplate page_template();

}  // namespace reconverge::page
