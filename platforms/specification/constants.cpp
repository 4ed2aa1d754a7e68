// SPDX-License-Identifier: Apache-2.0
#include <bit>
#include <cctype>
#include <functional>

#include "platforms/specification/rtl_module.hpp"

namespace reconverge::specification {

namespace {

/// A constant expression: numbers, names, $clog2, parentheses, and the operators ? : < > == << + - * / in the order of
/// their precedence.
class Expression {
 public:
  using Lookup = std::function<std::optional<std::uint64_t>(std::string_view name)>;

  Expression(std::string_view text, Lookup lookup) : text_(text), lookup_(std::move(lookup)) {}

  std::optional<std::uint64_t> value() {
    const std::uint64_t result = choice();
    skip_blanks();
    return failed_ || at_ != text_.size() ? std::nullopt : std::optional(result);
  }

 private:
  std::uint64_t choice() {
    const std::uint64_t condition = comparison();
    if (!take("?")) return condition;
    const std::uint64_t then = choice();
    if (!take(":")) failed_ = true;
    const std::uint64_t otherwise = choice();
    return condition != 0 ? then : otherwise;
  }
  std::uint64_t comparison() {
    const std::uint64_t left = shift();
    if (take("==")) return left == shift() ? 1 : 0;
    if (take("<=")) return left <= shift() ? 1 : 0;
    if (take(">=")) return left >= shift() ? 1 : 0;
    if (take("<")) return left < shift() ? 1 : 0;
    if (take(">")) return left > shift() ? 1 : 0;
    return left;
  }
  std::uint64_t shift() {
    std::uint64_t left = sum();
    while (take("<<")) left <<= sum() & 63U;
    return left;
  }
  std::uint64_t sum() {
    std::uint64_t left = product();
    for (;;) {
      if (take("+")) {
        left += product();
      } else if (take("-")) {
        left -= product();
      } else {
        return left;
      }
    }
  }
  std::uint64_t product() {
    std::uint64_t left = operand();
    for (;;) {
      if (take("*")) {
        left *= operand();
      } else if (take("/")) {
        const std::uint64_t divisor = operand();
        failed_ = failed_ || divisor == 0;
        left = divisor == 0 ? 0 : left / divisor;
      } else {
        return left;
      }
    }
  }
  std::uint64_t operand() {
    if (take("(")) {
      const std::uint64_t inner = choice();
      if (!take(")")) failed_ = true;
      return inner;
    }
    if (take("$clog2")) {
      const std::uint64_t of = operand();
      return of <= 1 ? 0 : static_cast<std::uint64_t>(std::bit_width(of - 1));
    }
    skip_blanks();
    const std::size_t begin = at_;
    while (at_ < text_.size() && (std::isalnum(static_cast<unsigned char>(text_[at_])) != 0 || text_[at_] == '_'))
      ++at_;
    const std::string_view word = text_.substr(begin, at_ - begin);
    if (word.empty()) {
      failed_ = true;
      return 0;
    }
    if (std::isdigit(static_cast<unsigned char>(word.front())) != 0) {
      std::uint64_t number = 0;
      for (const char digit : word) {
        failed_ = failed_ || std::isdigit(static_cast<unsigned char>(digit)) == 0;
        number = number * 10 + static_cast<std::uint64_t>(digit - '0');
      }
      return number;
    }
    const auto found = lookup_(word);
    failed_ = failed_ || !found;
    return found.value_or(0);
  }

  void skip_blanks() {
    while (at_ < text_.size() && text_[at_] == ' ') ++at_;
  }
  bool take(std::string_view token) {
    skip_blanks();
    if (!text_.substr(at_).starts_with(token)) return false;
    // `<` is not the beginning of `<<`.
    if (token == "<" && text_.substr(at_).starts_with("<<")) return false;
    at_ += token.size();
    return true;
  }

  std::string_view text_;
  Lookup lookup_;
  std::size_t at_ = 0;
  bool failed_ = false;
};

}  // namespace

Constants::Constants(const std::vector<RtlParameter>& parameters) {
  for (const RtlParameter& parameter : parameters) {
    if (const auto known = value(parameter.value)) values_.emplace_back(parameter.name, *known);
  }
}

std::optional<std::uint64_t> Constants::value(std::string_view expression) const {
  return Expression(expression,
                    [this](std::string_view name) -> std::optional<std::uint64_t> {
                      for (const auto& [known, number] : values_) {
                        if (known == name) return number;
                      }
                      return std::nullopt;
                    })
      .value();
}

std::string width_text(std::string_view range) {
  if (range.empty()) return "1";
  const std::string_view inside = range.substr(1, range.size() - 2);
  if (inside.ends_with("-1:0")) return std::string(inside.substr(0, inside.size() - 4));
  const std::size_t colon = inside.find(':');
  const std::string high(inside.substr(0, colon));
  const std::string low(inside.substr(colon + 1));
  if (low == "0") {
    const auto number = Constants({}).value(high);
    return number ? std::to_string(*number + 1) : high + "+1";
  }
  const std::string_view above =
      high.ends_with("-1") ? std::string_view(high).substr(0, high.size() - 2) : std::string_view();
  return above.empty() ? high + "-" + low + "+1" : std::string(above) + "-" + low;
}

std::optional<std::uint64_t> Constants::width(std::string_view range) const { return value(width_text(range)); }

}  // namespace reconverge::specification
