// SPDX-License-Identifier: Apache-2.0
#pragma once
/// The state of blocks as bytes, to store it and to restore it in a block with the same parameters. One function lists
/// the members for both directions, so that the two cannot differ:
///
///     void archive(StateArchive& state) { state(tags_, next_free_); }
///
/// The bytes have the layout of the host and of this build: only the program that wrote them can read them.

#include <cstddef>
#include <cstring>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "models/core/error.hpp"

namespace reconverge {

class StateArchive {
 public:
  /// Stores.
  StateArchive() = default;
  /// Restores from bytes that another archive stored.
  explicit StateArchive(std::string bytes) : bytes_(std::move(bytes)), restores_(true) {}

  /// The stored bytes.
  const std::string& bytes() const { return bytes_; }
  /// Whether all bytes have been restored.
  bool at_end() const { return read_ == bytes_.size(); }

  /// Members of any type that has a function `archive`, or no pointers; strings, vectors, maps and pointers to one
  /// object. Restoring throws InputError where the bytes end too early.
  template <typename... Members>
  void operator()(Members&... members) {
    (member(members), ...);
  }

  /// Exactly `bytes` bytes.
  void raw(void* data, std::size_t bytes) {
    if (!restores_) {
      bytes_.append(static_cast<const char*>(data), bytes);
      return;
    }
    if (bytes > bytes_.size() - read_) throw InputError({}, "the stored state ends too early");
    if (bytes != 0) std::memcpy(data, bytes_.data() + read_, bytes);
    read_ += bytes;
  }

 private:
  template <typename T>
  void member(T& value) {
    if constexpr (requires { value.archive(*this); }) {
      value.archive(*this);
    } else {
      static_assert(std::is_trivially_copyable_v<T> && !std::is_pointer_v<T>);
      raw(&value, sizeof(T));
    }
  }
  template <typename T>
  void member(std::unique_ptr<T>& object) {
    member(*object);
  }
  void member(std::string& text) {
    text.resize(size(text.size(), 1));
    raw(text.data(), text.size());
  }
  template <typename T>
  void member(std::vector<T>& values) {
    if constexpr (std::is_trivially_copyable_v<T>) {
      values.resize(size(values.size(), sizeof(T)));
    } else if (size(values.size(), 0) != values.size()) {
      throw InputError({}, "the stored state is of other parameters");
    }
    for (T& value : values) member(value);
  }
  template <typename Key, typename Value>
  void member(std::map<Key, Value>& entries) {
    std::vector<std::pair<Key, Value>> pairs(entries.begin(), entries.end());
    pairs.resize(size(pairs.size(), sizeof(Key) + sizeof(Value)));
    for (auto& [key, value] : pairs) (*this)(key, value);
    if (restores_) entries = {pairs.begin(), pairs.end()};
  }
  /// Of a container, whose elements have at least `each` bytes; refuses one that the remaining bytes cannot fill.
  std::size_t size(std::size_t stored, std::size_t each) {
    std::uint64_t size = stored;
    raw(&size, sizeof size);
    if (restores_ && each != 0 && size > (bytes_.size() - read_) / each) {
      throw InputError({}, "the stored state ends too early");
    }
    return size;
  }

  std::string bytes_;
  std::size_t read_ = 0;
  bool restores_ = false;
};

}  // namespace reconverge
