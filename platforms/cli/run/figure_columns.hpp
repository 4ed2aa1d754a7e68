// SPDX-License-Identifier: Apache-2.0
#pragma once
/// The figures that the table of several runs can show, and the selection that it shows.

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "platforms/machines/machines.hpp"

namespace reconverge::cli {

/// A figure of the report (docs/report.md), or `clock` or `speedup`, which exist only for several runs.
struct FigureColumn {
  std::string name;
  std::string unit;
  std::string text;  ///< one sentence on its meaning
};

/// All figures of all machines, each once, in report order; `clock` and `speedup` last.
std::vector<FigureColumn> known_columns(Kinds kinds = {});

/// The figures of `--columns`, a comma-separated list of names; the default selection if `names` is empty. Throws
/// InputError, with the nearest name, for an unknown figure or one given twice.
std::vector<FigureColumn> read_columns(std::string_view names, Kinds kinds);

/// The column head in the terminal: `Mrays/s`, `SIMD`; the name itself if there is no shorter form.
std::string_view head_of(const FigureColumn& column);

/// A value of the report, formatted for the terminal: `23.3 %`, `1,783,268`.
std::string shown(const FigureColumn& column, const std::string& value);

/// Explains the short heads among these, in lines of at most 100 columns.
std::string legend_of(std::span<const FigureColumn> columns);

inline constexpr std::string_view speedup_name = "speedup";
inline constexpr std::string_view clock_name = "clock";

}  // namespace reconverge::cli
