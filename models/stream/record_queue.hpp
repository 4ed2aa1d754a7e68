// SPDX-License-Identifier: Apache-2.0
#pragma once
/// Records that wait in a stream register or stream buffer, first in first out (Popa 2004, section 3.1).

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <vector>

#include "models/execution/region_lanes.hpp"

namespace reconverge {

/// The lanes of a mask as a list.
class LaneList {
 public:
  explicit LaneList(LaneMask lanes) : lanes_(lanes) {
    for (; lanes != 0; lanes &= lanes - 1) list_[size_++] = static_cast<std::uint8_t>(std::countr_zero(lanes));
  }
  unsigned size() const { return size_; }
  bool whole() const { return lanes_ == all_lanes; }
  unsigned operator[](unsigned i) const { return list_[i]; }

 private:
  LaneMask lanes_;
  unsigned size_ = 0;
  std::array<std::uint8_t, warp_size> list_{};
};

/// Structure of arrays: each word of a record has its own column, so that lanes access contiguous words.
class RecordQueue {
 public:
  static constexpr std::uint64_t unlimited = ~std::uint64_t{0} / 2;

  /// `words`: of a record. `capacity`: in records.
  RecordQueue(std::uint32_t words, std::uint64_t capacity)
      : words_(words),
        capacity_(capacity),
        stride_(2 * std::min(capacity, first_size) + 2 * warp_size),
        data_(size_of(stride_)) {}

  std::uint32_t words() const { return words_; }
  std::uint64_t capacity() const { return capacity_; }
  std::uint64_t size() const { return size_; }
  std::uint64_t room() const { return capacity_ - size_; }
  bool empty() const { return size_ == 0; }
  /// Records ever written here; this determines the memory stripe of the next record.
  std::uint64_t written() const { return written_; }

  /// The column of a word, starting at the first record. 32 words can be read; only the first size() are valid.
  const std::uint32_t* column(std::uint32_t word) const { return data_.data() + word * stride_ + first_; }
  /// The thread of each record.
  const std::uint32_t* threads() const { return column(words_); }

  /// Removes the first `count` records.
  void pop(std::uint64_t count) {
    first_ += count;
    size_ -= count;
    if (size_ == 0) first_ = 0;
  }

  /// Begins to append records of `lanes`; the queue must have space for them. Call `put` for each word, then
  /// `put_threads`.
  void begin(const LaneList& lanes) {
    if (first_ + size_ + warp_size > stride_) make_space();
    end_ = first_ + size_;
    size_ += lanes.size();
    written_ += lanes.size();
  }
  void put(std::uint32_t word, const LaneList& lanes, const std::uint32_t* values) {
    std::uint32_t* const to = data_.data() + word * stride_ + end_;
    if (lanes.whole()) {
      std::copy_n(values, warp_size, to);
    } else {
      for (unsigned i = 0; i < lanes.size(); ++i) to[i] = values[lanes[i]];
    }
  }
  void put_threads(const LaneList& lanes, const std::uint32_t* values) { put(words_, lanes, values); }

 private:
  static constexpr std::uint64_t first_size = 1024;

  /// Includes room after the last column, because 32 words are read even if fewer are valid.
  std::uint64_t size_of(std::uint64_t stride) const { return (words_ + 1) * stride + warp_size; }

  /// Moves the records to the front of their columns, which grow if half of their size is not enough.
  void make_space() {
    const std::uint64_t wanted = 2 * (size_ + warp_size) > stride_ ? 2 * stride_ : stride_;
    std::vector<std::uint32_t> grown;
    if (wanted != stride_) grown.resize(size_of(wanted));
    std::vector<std::uint32_t>& to = wanted != stride_ ? grown : data_;
    for (std::uint64_t word = 0; word <= words_; ++word) {
      const auto from = data_.begin() + static_cast<std::ptrdiff_t>(word * stride_ + first_);
      std::copy_n(from, size_, to.begin() + static_cast<std::ptrdiff_t>(word * wanted));
    }
    if (wanted != stride_) data_.swap(grown);
    stride_ = wanted;
    first_ = 0;
  }

  std::uint32_t words_;
  std::uint64_t capacity_;
  std::uint64_t stride_;
  std::uint64_t first_ = 0;
  std::uint64_t size_ = 0;
  std::uint64_t end_ = 0;
  std::uint64_t written_ = 0;
  std::vector<std::uint32_t> data_;  // the last column: threads
};

}  // namespace reconverge
