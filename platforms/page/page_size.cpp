// SPDX-License-Identifier: Apache-2.0
#include "platforms/page/page_size.hpp"

#include <fmt/format.h>

#include <system_error>

#include "models/core/error.hpp"

namespace reconverge::page {

namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t of_program = std::uint64_t{24} << 20U;
// Measured; each part is allocated when memory use peaks. A report is held as text, values, and text again.
constexpr std::uint64_t of_report_byte = 16;
constexpr std::uint64_t of_picture_byte = 7;
constexpr std::uint64_t of_trace_byte = 6;

/// Zero if there is no such file.
std::uint64_t size_of(const fs::path& file) {
  std::error_code error;
  const std::uintmax_t size = fs::file_size(file, error);
  return error ? 0 : size;
}

std::uint64_t size_of_pictures(const fs::path& folder) {
  std::uint64_t bytes = 0;
  std::error_code error;
  for (fs::directory_iterator entry(folder, error), end; !error && entry != end; entry.increment(error)) {
    if (entry->path().extension() == ".png") bytes += size_of(entry->path());
  }
  return bytes;
}

}  // namespace

PageInput page_input(std::span<const fs::path> folders, std::span<const std::string> traces) {
  PageInput input;
  for (const fs::path& folder : folders) {
    input.reports += size_of(folder / "report.json") + size_of(folder / "effective.yaml");
    input.pictures += size_of_pictures(folder);
  }
  for (const std::string& trace : traces) input.traces += size_of(trace);
  return input;
}

MemoryNeed memory_need(const PageInput& input) {
  MemoryNeed need("the page");
  need.add("program", of_program);
  need.add("reports", input.reports * of_report_byte);
  need.add("pictures", input.pictures * of_picture_byte);
  need.add("traces", input.traces * of_trace_byte);
  return need;
}

void check_page_input(const PageInput& input) {
  if (input.total() > most_input) {
    throw InputError({},
                     fmt::format("the files of the page have {} in all, and a page is made of {} at most",
                                 memory_text(input.total()), memory_text(most_input)),
                     smaller_page);
  }
  check_memory(memory_need(input), smaller_page);
}

void check_page_size(std::string_view page, std::uint64_t most, std::string_view hint) {
  if (page.size() <= most) return;
  throw InputError(
      {},
      fmt::format("the page would have {}, and browsers take {} at most", memory_text(page.size()), memory_text(most)),
      hint);
}

}  // namespace reconverge::page
