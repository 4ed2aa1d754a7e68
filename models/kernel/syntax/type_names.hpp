// SPDX-License-Identifier: Apache-2.0
#pragma once
/// Converts PTX spelling to the enums of opcode.hpp.

#include <optional>
#include <string_view>

#include "models/kernel/opcode.hpp"

namespace reconverge::kernel {

/// The value of `Enum`, between `first` and `last`, that is spelled `word` (no dot).
template <typename Enum>
constexpr std::optional<Enum> value_named(std::string_view word, Enum first, Enum last) {
  for (auto i = static_cast<unsigned>(first); i <= static_cast<unsigned>(last); ++i) {
    if (name_of(static_cast<Enum>(i)) == word) return static_cast<Enum>(i);
  }
  return std::nullopt;
}

inline std::optional<DataType> type_named(std::string_view word) {
  return value_named(word, DataType::pred, DataType::f32x2);
}

}  // namespace reconverge::kernel
