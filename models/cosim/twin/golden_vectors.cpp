// SPDX-License-Identifier: Apache-2.0
#include "models/cosim/twin/golden_vectors.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

namespace reconverge::twin {

VectorText::VectorText(std::span<const std::string_view> ports) {
  for (const std::string_view port : ports) {
    index_.emplace(port, fields_.size());
    fields_.push_back({.output = is_output(port)});
  }
}

void VectorText::set(const Port& port, std::uint64_t value) {
  Field& field = fields_.at(index_.at(port.name));
  const std::size_t words = (port.index * port.width + port.width + 31) / 32;
  if (field.value.size() < words) {
    field.value.resize(words);
    field.valid.resize(words);
  }
  twin::set(field.value, port, value);
  twin::set(field.valid, port, bits(port.width));
}

void VectorText::end_line() {
  for (Field& field : fields_) {
    add(field.value);
    if (field.output) add(field.valid);
    std::ranges::fill(field.valid, 0);
  }
  text_.back() = '\n';
}

/// Appends a number to the text and sets it to 0.
void VectorText::add(std::vector<std::uint32_t>& words) {
  std::size_t left = words.size();
  while (left > 1 && words[left - 1] == 0) --left;
  fmt::format_to(std::back_inserter(text_), "{:x}", left == 0 ? 0 : words[left - 1]);
  while (left > 1) fmt::format_to(std::back_inserter(text_), "{:08x}", words[--left - 1]);
  text_ += ' ';
  std::ranges::fill(words, 0);
}

}  // namespace reconverge::twin
