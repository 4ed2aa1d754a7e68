#pragma once
/// Which files of a folder are provably those that a report of this program put there.

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

/// The outputs that a manifest lists; nothing when the text is no manifest of this program.
std::optional<std::vector<ListedFile>> listed_files(std::string_view manifest);

/// The bytes with a last line that has their SHA-256, as a comment of VCD: proof for a file that no manifest lists.
std::string sealed(std::string bytes);

class OwnFiles {
 public:
  /// Reads the folder's manifest, and that of a report which a killed run was about to put there.
  explicit OwnFiles(const Descriptor& folder);

  /// Of a report that lies there, or that a killed run was about to put there.
  bool has_manifest() const { return has_manifest_; }
  /// All files that these manifests list.
  const std::vector<std::string>& names() const { return names_; }
  /// What killed runs of this user left (is_temporary_name).
  const std::vector<std::string>& temporaries() const { return temporaries_; }
  /// The first name, in the order of names, that is neither known nor a temporary; empty when there is none.
  std::string first_but(const std::vector<std::string>& known) const;

  /// Whether the file is plain, and as a manifest lists it, as it was sealed, or a manifest itself. A large file that
  /// is none of these is not read.
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
