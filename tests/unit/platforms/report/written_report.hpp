// SPDX-License-Identifier: Apache-2.0
#pragma once
/// Reports of a few bytes, written like those of runs, and the contents of their folders.

#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <string>
#include <vector>

#include "platforms/report/documents.hpp"
#include "platforms/report/output_folder.hpp"

namespace reconverge::report::tests {

/// The files that a report can have.
inline const std::vector<std::string> names{"report.json", "report.csv", "picture.png", "manifest.json"};

inline std::string read(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

inline std::set<std::string> contents(const std::filesystem::path& folder) {
  std::set<std::string> found;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) found.insert(entry.path().filename().string());
  return found;
}

inline std::string manifest_of(const std::vector<OutputFile>& files) {
  return manifest({"x", false, {}}, {"x.yaml", {}, {}}, files);
}

/// Writes the files and a manifest that lists them.
inline void write_report(const std::filesystem::path& folder, std::vector<OutputFile> files, bool force = false) {
  files.push_back({"manifest.json", manifest_of(files)});
  OutputFolder place(folder);
  place.claim(names, force);
  place.write(files);
}

}  // namespace reconverge::report::tests
