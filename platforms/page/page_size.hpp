// SPDX-License-Identifier: Apache-2.0
#pragma once
/// Limits for the size of a page, and an estimate of the memory needed to make it. docs/report.md states the limits.

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>

#include "platforms/host/memory_need.hpp"

namespace reconverge::page {

/// Limit for the bytes of all files that a page is made of.
inline constexpr std::uint64_t most_input = std::uint64_t{1} << 30U;
/// Browsers accept texts of at most half a gibibyte.
inline constexpr std::uint64_t most_page = std::uint64_t{256} << 20U;

/// Bytes of the files that a page is made of.
struct PageInput {
  std::uint64_t reports = 0;   ///< report.json and effective.yaml
  std::uint64_t pictures = 0;  ///< PNG files
  std::uint64_t traces = 0;

  std::uint64_t total() const { return reports + pictures + traces; }
};

/// Checks only the sizes. A file of unknown size is refused when it is read.
PageInput page_input(std::span<const std::filesystem::path> folders, std::span<const std::string> traces);

/// An estimate of the memory needed to make the page.
MemoryNeed memory_need(const PageInput& input);

/// Throws InputError for more than `most_input`, and if the host does not have the memory.
void check_page_input(const PageInput& input);

/// How to make a page of reports smaller.
inline constexpr std::string_view smaller_page =
    "give fewer folders or traces, or record with a longer --interval or a shorter --trace-window";

/// Throws InputError, with this hint, for a page of more than `most` bytes.
void check_page_size(std::string_view page, std::uint64_t most = most_page, std::string_view hint = smaller_page);

}  // namespace reconverge::page
