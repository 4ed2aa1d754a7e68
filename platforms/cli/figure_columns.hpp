#pragma once
/// The figures that the table of several runs can show, and those that it shows.

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "platforms/gpu/schemes.hpp"

namespace reconverge::cli {

/// A figure of the report (docs/report.md), or `clock` or `speedup`, which only several runs have.
struct FigureColumn {
  std::string name;
  std::string unit;
  std::string text;  ///< one sentence on what it says
};

/// All that there are, of whichever machine, each once, in report order; `clock` and `speedup` last.
std::vector<FigureColumn> known_columns(SchemeList schemes = built_in_schemes());

/// Those of `--columns`, names with commas between; the usual ones where `names` is empty. Throws InputError, with the
/// nearest name, for one that there is not or that is given twice.
std::vector<FigureColumn> read_columns(std::string_view names, SchemeList schemes);

/// Over a column in the terminal: `Mrays/s`, `SIMD`; the name itself where there is nothing shorter.
std::string_view head_of(const FigureColumn& column);

/// A value of the report, for the terminal: `23.3 %`, `1,783,268`.
std::string shown(const FigureColumn& column, const std::string& value);

/// What the short heads among these mean, in lines of at most 100 columns.
std::string legend_of(std::span<const FigureColumn> columns);

inline constexpr std::string_view speedup_name = "speedup";
inline constexpr std::string_view clock_name = "clock";

}  // namespace reconverge::cli
