// SPDX-License-Identifier: Apache-2.0
#pragma once
/// Specification pages as HTML.

#include <span>
#include <string>
#include <vector>

#include "platforms/specification/block_page.hpp"

namespace reconverge::specification {

/// `<block>.html` of the page `<block>.md`, as one file that needs no other. `files`: pages and images. The page
/// contains its images; links to pages among `files` lead to their HTML, and other links inside the folder become text.
PageFile html_page(const PageFile& page, std::span<const PageFile> files);

/// The HTML of each page in `files`.
std::vector<PageFile> html_pages(std::span<const PageFile> files);

}  // namespace reconverge::specification
