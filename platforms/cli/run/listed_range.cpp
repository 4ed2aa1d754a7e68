// SPDX-License-Identifier: Apache-2.0
#include "platforms/cli/run/listed_range.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include "models/core/suggestion.hpp"

namespace reconverge::cli {

namespace {

using sweep::Number;
using sweep::QuantityKind;

constexpr const char* range_hint = "write for example {from: 1, to: 15, step: 2}";
constexpr std::size_t most_values = 10'000;
constexpr double tolerance = 1e-9;  // relative, for the last step

class Reader {
 public:
  Reader(const std::string& file, const YamlEntry& entry) : entry_(entry) {
    static constexpr std::array<std::string_view, 5> known{"from", "to", "step", "factor", "scale"};
    for (const YamlEntry& part : entries(file, entry.value)) {
      if (std::ranges::find(known, part.key) == known.end())
        throw InputError(part.location, fmt::format("there is no key {} in a range", part.key),
                         suggest(part.key, known));
      if (!part.value.is_scalar())
        throw InputError(part.location, fmt::format("{} is no number", part.key), range_hint);
      parts_.emplace(part.key, part.value.scalar());
    }
  }

  ListedRange read() const {
    const Number from = number("from");
    const Number to = number("to");
    ContinuousRange range{from.value, to.value, common(from.kind, to.kind), false};
    if (range.from > range.to) refuse("`from` is above `to`");
    if (has("step") + has("factor") + has("scale") > 1) refuse("only one of `step`, `factor` and `scale` is possible");
    if (has("scale")) {
      const std::string& scale = parts_.at("scale");
      if (scale != "log" && scale != "linear") refuse("`scale` is linear or log");
      range.logarithmic = scale == "log";
      if (range.logarithmic && range.from <= 0) refuse("a logarithmic range begins above 0");
    }
    ListedRange listed{range, {}};
    if (has("step")) {
      const Number step = number("step");
      listed.range.kind = common(range.kind, step.kind);
      if (step.value <= 0) refuse("`step` is not above 0");
      add_values(listed, [&](std::size_t i) { return range.from + step.value * static_cast<double>(i); });
    } else if (has("factor")) {
      const double factor = number("factor").value;
      if (factor <= 1 || range.from <= 0) refuse("`factor` is above 1, and `from` above 0");
      add_values(listed, [&](std::size_t i) { return range.from * std::pow(factor, static_cast<double>(i)); });
    }
    return listed;
  }

 private:
  [[noreturn]] void refuse(std::string_view message) const {
    throw InputError(entry_.location, fmt::format("{}: {}", entry_.key, message), range_hint);
  }

  int has(const std::string& key) const { return static_cast<int>(parts_.count(key)); }

  Number number(const std::string& key) const {
    if (has(key) == 0) refuse(fmt::format("the range has no `{}`", key));
    const auto number = sweep::number_of(parts_.at(key));
    if (!number) refuse(fmt::format("'{}' is no number", parts_.at(key)));
    return *number;
  }

  /// `1` and `0.5` are both ratios; otherwise the units must agree, and a number without unit takes the other's.
  QuantityKind common(QuantityKind a, QuantityKind b) const {
    if (a == b || b == QuantityKind::count) return a;
    if (a == QuantityKind::count) return b;
    refuse("the units differ");
  }

  template <typename Value>
  void add_values(ListedRange& listed, Value value) const {
    const double last = listed.range.to * (1 + tolerance);
    for (std::size_t i = 0; value(i) <= last; ++i) {
      if (i == most_values) refuse(fmt::format("the range has more than {} values", most_values));
      std::string text = sweep::text_of({value(i), listed.range.kind});
      if (listed.values.empty() || listed.values.back() != text) listed.values.push_back(std::move(text));
    }
  }

  const YamlEntry& entry_;
  std::map<std::string, std::string> parts_;
};

}  // namespace

std::string ContinuousRange::at(double fraction) const {
  const double value = logarithmic ? from * std::pow(to / from, fraction) : from + (to - from) * fraction;
  return sweep::text_of({value, kind});
}

ListedRange read_range(const std::string& file, const YamlEntry& entry) { return Reader(file, entry).read(); }

}  // namespace reconverge::cli
