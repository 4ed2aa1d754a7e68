// SPDX-License-Identifier: Apache-2.0
#include "platforms/cli/run/sweep.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "blocks/experiment.hpp"
#include "models/core/digest.hpp"
#include "models/core/error.hpp"
#include "platforms/configuration/section_override.hpp"
#include "platforms/launch/keys.hpp"
#include "platforms/machines/machines.hpp"

namespace reconverge::cli {

namespace {

constexpr std::string_view option = "--sweep";
constexpr std::size_t most_combinations = 10'000;
constexpr std::size_t longest_name = 200;  // file systems allow 255 bytes
constexpr std::size_t digest_digits = 16;

SourceLocation said(const std::string& text) { return {fmt::format("{} {}", option, text), 0, 0}; }

std::string_view trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

/// Splits at commas outside brackets.
std::vector<std::string> split(std::string_view text) {
  std::vector<std::string> parts;
  std::size_t begin = 0;
  int depth = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '[') ++depth;
    if (text[i] == ']') --depth;
    if (text[i] != ',' || depth > 0) continue;
    parts.emplace_back(trimmed(text.substr(begin, i - begin)));
    begin = i + 1;
  }
  parts.emplace_back(trimmed(text.substr(begin)));
  return parts;
}

SweepAxis read_axis(const std::string& text, Kinds kinds) {
  const std::size_t equals = text.find('=');
  if (equals == std::string::npos || equals == 0) {
    throw InputError(said(text), "this is not of the form path=value,value", "write for example gpu.sms=1,15");
  }
  SweepAxis axis;
  axis.path = text.substr(0, equals);
  axis.values = split(std::string_view(text).substr(equals + 1));
  for (const std::string& value : axis.values) {
    const std::string given = fmt::format("{}={}", axis.path, value);
    std::string canonical =
        configuration::canonical_value(with_kinds(experiment_block, kinds), option, given, launch::section_keys());
    if (std::find(axis.canonical.begin(), axis.canonical.end(), canonical) != axis.canonical.end()) {
      throw InputError(said(text), fmt::format("the value {} is given twice", canonical), "leave one out");
    }
    axis.canonical.push_back(std::move(canonical));
  }
  return axis;
}

/// Whether `path` ends with `name`, after a dot or as a whole.
bool ends_in(std::string_view path, std::string_view name) {
  return path == name || (path.ends_with(name) && path[path.size() - name.size() - 1] == '.');
}

std::string shortest_name(const SweepAxis& axis, std::span<const SweepAxis> axes) {
  for (std::size_t dot = axis.path.rfind('.'); dot != std::string::npos; dot = axis.path.rfind('.', dot - 1)) {
    std::string name = axis.path.substr(dot + 1);
    const auto bearers =
        std::count_if(axes.begin(), axes.end(), [&](const SweepAxis& each) { return ends_in(each.path, name); });
    if (bearers == 1) return name;
  }
  return axis.path;
}

/// Whether `inner` is at or within the location of `outer`.
bool holds(std::string_view outer, std::string_view inner) {
  if (!inner.starts_with(outer)) return false;
  return inner.size() == outer.size() || inner[outer.size()] == '.' || inner[outer.size()] == '[';
}

bool is_safe(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '.' || c == '_' || c == '-';
}

std::string encoded(std::string_view value, std::string_view safe = {}) {
  std::string text;
  for (const char c : value) {
    if (is_safe(c) || safe.find(c) != std::string_view::npos) {
      text += c;
    } else if (c == ' ') {
      text += '+';
    } else {
      text += fmt::format("%{:02X}", static_cast<unsigned char>(c));
    }
  }
  return text;
}

}  // namespace

std::vector<SweepAxis> read_sweep(std::span<const std::string> options, std::span<const std::string> overrides,
                                  Kinds kinds) {
  std::vector<SweepAxis> axes;
  for (const std::string& text : options) {
    SweepAxis axis = read_axis(text, kinds);
    for (const SweepAxis& other : axes) {
      if (other.path != axis.path) continue;
      throw InputError(said(text), fmt::format("{} is swept already", axis.path), "give all its values in one --sweep");
    }
    for (const std::string& given : overrides) {
      if (!given.starts_with(axis.path + '=')) continue;
      throw InputError(said(text), fmt::format("--set {} gives the same parameter", given), "remove one of the two");
    }
    axes.push_back(std::move(axis));
  }
  for (SweepAxis& axis : axes) axis.name = shortest_name(axis, axes);
  return axes;
}

void check_sections(std::span<const SweepAxis> axes, std::span<const configuration::SectionChange> changes) {
  const auto swept = static_cast<std::size_t>(std::ranges::count_if(
      axes, [](const SweepAxis& axis) { return configuration::is_within_section(axis.path, launch::section_keys()); }));
  const std::size_t first_swept = changes.size() - swept;
  for (std::size_t i = first_swept; i < changes.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      const bool both_swept = j >= first_swept;
      if (!holds(changes[i].place, changes[j].place) && !(both_swept && holds(changes[j].place, changes[i].place)))
        continue;
      throw InputError(
          said(changes[i].text),
          fmt::format("{} {} changes the same, {}", both_swept ? option : "--set", changes[j].text, changes[i].place),
          "remove one of the two");
    }
  }
}

std::vector<Combination> combinations_of(std::span<const SweepAxis> axes) {
  std::vector<Combination> combinations{{}};
  for (const SweepAxis& axis : axes) {
    if (combinations.size() * axis.values.size() > most_combinations) {
      throw InputError({}, fmt::format("the sweep has more than {} combinations", most_combinations),
                       "sweep fewer parameters or values at once");
    }
    std::vector<Combination> longer;
    for (const Combination& combination : combinations) {
      for (std::size_t value = 0; value < axis.values.size(); ++value) {
        longer.push_back(combination);
        longer.back().push_back(value);
      }
    }
    combinations = std::move(longer);
  }
  return combinations;
}

std::vector<std::string> overrides_of(std::span<const SweepAxis> axes, const Combination& combination) {
  std::vector<std::string> overrides;
  for (std::size_t i = 0; i < axes.size(); ++i) {
    overrides.push_back(fmt::format("{}={}", axes[i].path, axes[i].values[combination[i]]));
  }
  return overrides;
}

std::string label_of(std::span<const SweepAxis> axes, const Combination& combination) {
  std::string label;
  for (std::size_t i = 0; i < axes.size(); ++i) {
    if (i != 0) label += ", ";
    label += fmt::format("{}={}", axes[i].name, axes[i].canonical[combination[i]]);
  }
  return label;
}

std::string folder_of(std::span<const SweepAxis> axes, const Combination& combination) {
  std::string name;
  for (std::size_t i = 0; i < axes.size(); ++i) {
    if (i != 0) name += ',';
    name += fmt::format("{}={}", encoded(axes[i].path, "[]"), encoded(axes[i].canonical[combination[i]]));
  }
  if (name.size() <= longest_name) return name;
  const std::string digest = sha256(name).substr(0, digest_digits);
  return fmt::format("{}~{}", name.substr(0, longest_name - digest_digits - 1), digest);
}

}  // namespace reconverge::cli
