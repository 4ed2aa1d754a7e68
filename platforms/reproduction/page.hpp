// SPDX-License-Identifier: Apache-2.0
#pragma once
/// The page of a paper, as its file in yaml/reproduction describes it: experiments, tests and commands that measure,
/// queries that make figures of their results, claims that are judged by figures, and text. docs/reproduction.md
/// describes the keys.

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "models/core/yaml_node.hpp"
#include "platforms/sweep/database.hpp"

namespace reconverge::reproduction {

/// Which measurements are made. Each scale includes the ones before it.
enum class Scale : std::uint8_t {
  exact,  ///< tests and commands, and no experiment
  quick,  ///< small experiments: ten minutes on two cores for all pages
  full    ///< the papers' experiments: hours
};

/// A test case whose result is known on paper.
struct KnownResult {
  std::string name;
  std::string program;    ///< `stream` for the test program test_stream
  std::string test_case;  ///< a pattern of Catch2
};

/// A command whose output has numbers.
struct MeasuringCommand {
  std::string name;
  std::vector<std::string> words;  ///< `{out}`: a folder of the command
  /// Names of the groups of `pattern`, in order; if empty, the pattern has two groups: name and number.
  std::vector<std::string> names;
  std::string pattern;                                         ///< a regular expression; empty: see `json`
  std::string json;                                            ///< a JSON file in `{out}`, or `-` for the output
  std::vector<std::pair<std::string, std::string>> occurring;  ///< numbers of matches of a pattern, by name
  Scale scale = Scale::exact;
};

/// A file that a command writes to its output, for settings: `input:NAME`.
struct MadeInput {
  std::string name;
  std::vector<std::string> words;
};

/// Experiments under the same settings and sweeps.
struct RunGroup {
  std::string name;
  SourceLocation location;
  std::vector<std::string> experiments;
  std::vector<std::string> settings;  ///< `path=value`; a value can have queries, see text.hpp
  std::vector<std::string> sweeps;    ///< `path=value,value`
  std::vector<std::string> axes;      ///< paths that are swept at any scale: columns of its view
  bool selected = true;               ///< runs at the scale of the page
  std::string missing;                ///< a file of `needs` that is not there; empty: none
};

/// A table of published figures.
struct PublishedTable {
  std::string name;
  std::vector<std::string> columns;
  std::vector<std::vector<sweep::Value>> rows;
};

struct View {
  std::string name;
  std::string query;
  SourceLocation location;
};

/// Nothing: the figure is shown and not judged.
using Accepted = std::variant<std::monostate, bool, std::pair<double, double>>;

/// One figure of a claim.
struct ClaimPart {
  std::string name;       ///< empty if it is the only one
  std::string published;  ///< as text; empty: the paper gives none
  std::optional<double> published_number;
  Accepted accepted;
  std::string query;
  SourceLocation location;
};

struct Claim {
  std::string id;
  std::string where;  ///< section, table or figure of the paper
  std::string says;
  std::string format;         ///< of its figures: see text.hpp
  std::string workload;       ///< what is measured
  std::string command;        ///< that measures it, if another one than `reproduce`
  std::string because;        ///< why it is outside; may have queries
  Scale scale = Scale::full;  ///< exact: does not depend on the size of experiments
  std::vector<ClaimPart> parts;
  SourceLocation location;
};

struct Column {
  std::string head;
  std::string format;
};

struct TableBlock {
  std::vector<Column> columns;
  std::string query;
  SourceLocation location;
};

/// Lines or bars over x: a query with the columns x, series and y. A series whose name begins with `paper` is the
/// published one. Or a scatter plot of numbers: a point for each row, with the series as its name.
struct ChartBlock {
  std::string name;
  std::string title;
  std::string x;
  std::string y;
  bool bars = false;
  bool scatter = false;
  std::string query;
  SourceLocation location;
};

/// Markdown with queries.
struct TextBlock {
  std::string text;
  SourceLocation location;
};

struct ClaimsBlock {};

using Block = std::variant<TextBlock, TableBlock, ChartBlock, ClaimsBlock>;

/// A row of the table in README.md.
struct SummaryRow {
  std::string claim;
  std::string part;
  std::string says;
  std::string format;
};

struct Page {
  std::string name;  ///< `stream`, also of its files
  std::string file;
  std::string title;
  std::string paper;  ///< in the table in README.md
  std::vector<SummaryRow> summary;
  std::vector<KnownResult> tests;
  std::vector<MeasuringCommand> commands;
  std::vector<MadeInput> inputs;
  std::vector<RunGroup> runs;
  std::vector<PublishedTable> data;
  std::vector<View> views;
  std::vector<Claim> claims;
  std::vector<Block> blocks;
};

/// Reads `name`.yaml in the folder, with the runs and commands of a scale. Throws InputError.
Page read_page(const std::filesystem::path& folder, const std::string& name, Scale scale);

}  // namespace reconverge::reproduction
