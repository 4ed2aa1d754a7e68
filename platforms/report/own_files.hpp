// SPDX-License-Identifier: Apache-2.0
#pragma once
/// Finds out which files of a folder were provably written by a report of this program.

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "platforms/report/descriptor.hpp"

namespace reconverge::report {

inline constexpr const char* manifest_name = "manifest.json";

/// A file that a manifest lists.
struct ListedFile {
  std::string name;    ///< in the manifest's folder
  std::string sha256;  ///< 64 hexadecimal digits
};

/// The outputs that a manifest lists; nothing if the text is not a manifest of this program.
std::optional<std::vector<ListedFile>> listed_files(std::string_view manifest);

/// The bytes plus a last line with their SHA-256, as a VCD comment: the proof for a file that no manifest lists.
std::string sealed(std::string bytes);

class OwnFiles {
 public:
  /// Reads the folder's manifest, and the manifest of a report that a killed run was about to store there.
  explicit OwnFiles(const Descriptor& folder);

  /// Of a report in the folder, or that a killed run was about to store there.
  bool has_manifest() const { return has_manifest_; }
  /// All files that these manifests list.
  const std::vector<std::string>& names() const { return names_; }
  /// Files left by killed runs of this user (is_temporary_name).
  const std::vector<std::string>& temporaries() const { return temporaries_; }
  /// The first name, in name order, that is neither known nor temporary; empty if there is none.
  std::string first_but(const std::vector<std::string>& known) const;

  /// Whether the file is plain and matches a manifest's entry, is sealed, or is itself a manifest. A large file that is
  /// none of these is not read.
  bool has(const std::string& name) const;

 private:
  void add(const std::vector<ListedFile>& listed);

  const Descriptor& folder_;
  std::vector<std::string> entries_;
  std::vector<std::string> temporaries_;
  std::vector<std::string> names_;
  std::multimap<std::string, std::string> digests_;  ///< by name
  bool has_manifest_ = false;
  bool has_own_manifest_ = false;  ///< under its name
};

}  // namespace reconverge::report
