// SPDX-License-Identifier: Apache-2.0
#include "platforms/checkpoint/page_digests.hpp"

#include <algorithm>
#include <array>
#include <functional>
#include <string_view>

namespace reconverge {

namespace {

std::uint64_t pages_of(std::span<const std::byte> memory) {
  return (memory.size() + PageDigests::page_bytes - 1) / PageDigests::page_bytes;
}

/// A short last page counts as filled with zeros, like memory without a buffer.
std::size_t digest_of(std::span<const std::byte> memory, std::uint64_t number) {
  const auto page = memory.subspan(number * PageDigests::page_bytes);
  if (page.size() >= PageDigests::page_bytes) {
    return std::hash<std::string_view>{}({reinterpret_cast<const char*>(page.data()), PageDigests::page_bytes});
  }
  std::array<char, PageDigests::page_bytes> filled{};
  std::ranges::copy(page, reinterpret_cast<std::byte*>(filled.data()));
  return std::hash<std::string_view>{}({filled.data(), filled.size()});
}

}  // namespace

PageDigests::PageDigests(std::span<const std::byte> memory) {
  for (std::uint64_t page = 0; page < pages_of(memory); ++page) digests_.push_back(digest_of(memory, page));
}

std::vector<std::uint64_t> PageDigests::changed(std::span<const std::byte> memory) const {
  static constexpr std::array<std::byte, page_bytes> zeros{};
  const std::size_t untouched = digest_of(zeros, 0);
  std::vector<std::uint64_t> pages;
  for (std::uint64_t page = 0; page < pages_of(memory); ++page) {
    if (digest_of(memory, page) != (page < digests_.size() ? digests_[page] : untouched)) pages.push_back(page);
  }
  return pages;
}

std::span<std::byte> page_of(std::span<std::byte> memory, std::uint64_t number) {
  const std::uint64_t first = number * PageDigests::page_bytes;
  return memory.subspan(first, std::min<std::uint64_t>(PageDigests::page_bytes, memory.size() - first));
}

}  // namespace reconverge
