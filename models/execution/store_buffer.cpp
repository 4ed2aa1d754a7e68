// SPDX-License-Identifier: Apache-2.0
#include "models/execution/store_buffer.hpp"

#include <algorithm>
#include <bit>
#include <cstring>

namespace reconverge {

void StoreBuffer::store_in_line(Line& line, std::size_t first, std::span<const std::byte> piece) {
  std::memcpy(line.bytes.data() + first, piece.data(), piece.size());
  line.stored |= mask_of(first, piece.size());
}

void StoreBuffer::read_from_line(const Line& line, std::size_t first, std::span<std::byte> piece) {
  const std::uint64_t wanted = mask_of(first, piece.size());
  if ((line.stored & wanted) == wanted) {
    std::memcpy(piece.data(), line.bytes.data() + first, piece.size());
    return;
  }
  for (std::uint64_t left = line.stored & wanted; left != 0; left &= left - 1) {
    const auto place = static_cast<std::size_t>(std::countr_zero(left));
    piece[place - first] = line.bytes[place];
  }
}

const StoreBuffer::Line* StoreBuffer::find(DeviceAddress address) const {
  if (lines_.empty()) return nullptr;
  if (lines_[last_].address == address) return &lines_[last_];
  const std::size_t wrap = index_.size() - 1;
  for (std::size_t at = start_of(address); index_[at] != 0; at = (at + 1) & wrap) {
    const std::size_t number = index_[at] - 1;
    if (lines_[number].address != address) continue;
    last_ = number;
    return &lines_[number];
  }
  return nullptr;
}

StoreBuffer::Line& StoreBuffer::line_of(DeviceAddress address) {
  if (const Line* const found = find(address)) return lines_[static_cast<std::size_t>(found - lines_.data())];
  if (2 * (lines_.size() + 1) > index_.size()) grow();
  last_ = lines_.size();
  lines_.emplace_back().address = address;
  add_to_index(static_cast<std::uint32_t>(last_));
  return lines_.back();
}

void StoreBuffer::add_to_index(std::uint32_t number) {
  const std::size_t wrap = index_.size() - 1;
  std::size_t at = start_of(lines_[number].address);
  while (index_[at] != 0) at = (at + 1) & wrap;
  index_[at] = number + 1;
}

void StoreBuffer::grow() {
  index_.assign(2 * index_.size(), 0);
  --shift_;
  for (std::uint32_t number = 0; number < lines_.size(); ++number) add_to_index(number);
}

void StoreBuffer::clear() {
  if (lines_.empty()) return;
  lines_.clear();
  last_ = 0;
  std::ranges::fill(index_, 0);
}

void StoreBuffer::move_to(StoreBuffer& older) {
  for (const Line& line : lines_) {
    Line& to = older.line_of(line.address);
    for (std::uint64_t left = line.stored; left != 0; left &= left - 1) {
      const auto place = static_cast<std::size_t>(std::countr_zero(left));
      to.bytes[place] = line.bytes[place];
    }
    to.stored |= line.stored;
  }
  clear();
}

void StoreBuffer::move_to(DeviceMemory& memory) {
  for (const Line& line : lines_) {
    // Copies runs of stored bytes only: other bytes may be outside every buffer.
    for (std::uint64_t left = line.stored; left != 0;) {
      const auto first = static_cast<std::size_t>(std::countr_zero(left));
      const auto count = static_cast<std::size_t>(std::countr_one(left >> first));
      std::memcpy(memory.host() + line.address + first, line.bytes.data() + first, count);
      left &= ~mask_of(first, count);
    }
  }
  clear();
}

}  // namespace reconverge
