// SPDX-License-Identifier: Apache-2.0
#include "platforms/cli/run/collected_notes.hpp"

#include <fmt/format.h>

#include <boost/json/value.hpp>
#include <map>

#include "models/core/input_file.hpp"
#include "platforms/report/format/json_place.hpp"
#include "platforms/report/table_parts.hpp"

namespace reconverge::cli {

void read_notes(CollectedRow& row, const std::filesystem::path& folder) {
  const std::string file = (folder / "report.json").generic_string();
  const boost::json::value document = report::parse_json(read_input(file, input::report), file);
  const auto notes = report::JsonPlace(document, file).find("notes");
  if (!notes) return;  // of a version without notes
  for (const auto& [about, text] : notes->object()) row.notes.push_back({about, notes->at(about).text()});
}

std::string notes_text(const SeveralPlan& plan) {
  struct Footnote {
    std::string text;
    std::size_t others = 0;
  };
  std::map<std::string, Footnote> footnotes;
  for (std::size_t i = 0; i < plan.runs.size(); ++i) {
    for (const report::Note& note : plan.table.rows[i].notes) {
      const auto [place, is_first] = footnotes.try_emplace(note.about);
      if (is_first) place->second.text = fmt::format("{}: {}", plan.runs[i].label, note.text);
      if (!is_first) ++place->second.others;
    }
  }
  std::string out;
  for (const auto& [about, footnote] : footnotes) {
    std::string text = footnote.text;
    if (footnote.others == 1) text += " The report of another run has such a note, too.";
    if (footnote.others > 1)
      text += fmt::format(" The reports of {} other runs have such a note, too.", footnote.others);
    report::add_sentences(out, text);
  }
  return out;
}

}  // namespace reconverge::cli
