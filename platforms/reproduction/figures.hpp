// SPDX-License-Identifier: Apache-2.0
#pragma once
/// Figures of a page: queries over the store of its runs, over measurements of tests and commands, and over published
/// tables. Queries have a table for each group of runs, with the columns run, name (of the experiment) and each swept
/// parameter, and these functions:
///
///     figure(run, name)    of the whole run; figure(run, part, name) of a stage or launch, or of the `last` one
///     counter(run, name)   likewise: counter(run, 'last', 'stream_processor.passes')
///     setting(run, path)   a parameter that is not a default
///     measured(source, name)   a number of a test (`passed`) or command

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "platforms/reproduction/page.hpp"
#include "platforms/reproduction/text.hpp"
#include "platforms/sweep/database.hpp"
#include "platforms/sweep/point_record.hpp"

namespace reconverge::reproduction {

/// A number of a test or command.
struct Measurement {
  std::string source;
  std::string name;
  double value = 0;
};

/// A run of a group.
struct GroupRun {
  std::string group;
  std::string digest;
  std::vector<sweep::Setting> settings;  ///< swept ones; the store has those of the point that ran first
};

enum class Verdict : std::uint8_t { inside, outside, not_measured };

struct JudgedClaim {
  const Claim* claim = nullptr;
  std::vector<sweep::Value> measured;  ///< of each part
  Verdict verdict = Verdict::not_measured;
  std::string because;  ///< if it is outside, the cause; empty: not known
};

class Figures {
 public:
  /// `store`: open for reading. Makes temporary tables and views in it. Throws InputError for a wrong query.
  Figures(sweep::Database& store, const Page& page, const std::vector<GroupRun>& runs,
          const std::vector<Measurement>& measurements);

  sweep::Answer ask(const std::string& query, const SourceLocation& location) const;
  /// `ask`, for texts.
  Ask asking() const;
  std::vector<JudgedClaim> judged() const;

 private:
  using Rows = std::vector<std::vector<sweep::Value>>;

  void define_functions();
  void make_group(const RunGroup& group, const std::vector<GroupRun>& runs);
  void make_table(const std::string& name, const std::vector<std::string>& columns, const Rows& rows);

  sweep::Database& store_;
  const Page& page_;
};

/// Whether a figure is in its range; nothing if it is not measured.
std::optional<bool> lies_in(const sweep::Value& measured, const Accepted& accepted);

}  // namespace reconverge::reproduction
