// SPDX-License-Identifier: Apache-2.0
#pragma once
/// The documents of a page: Markdown, its figures as JSON, and pictures.

#include <filesystem>
#include <string>
#include <vector>

#include "platforms/reproduction/figures.hpp"

namespace reconverge::reproduction {

struct Document {
  std::string name;
  std::string text;
};

/// `stream.md`, `stream.json` and the pictures that the Markdown names.
std::vector<Document> documents_of(const Page& page, const Figures& figures, const std::vector<JudgedClaim>& claims);

/// Of one figure of a claim.
std::string measured_text(const JudgedClaim& judged, std::size_t part);
std::string accepted_text(const Claim& claim, std::size_t part);

/// `1.79`, or `at 64: -2; at 512: 25.9` for a claim with several figures.
std::string measured_text(const JudgedClaim& judged);
std::string published_text(const Claim& claim);
std::string accepted_text(const Claim& claim);

/// The table of all papers for README.md, from the JSON figures of pages in a folder. A page without figures has no
/// row. Throws InputError for a file of another form.
std::string summary_of(const std::vector<Page>& pages, const std::filesystem::path& folder);

}  // namespace reconverge::reproduction
