#pragma once
/// Divergence schemes from shared libraries (models/protocols/plugin.hpp), beside those of this tree.

#include <memory>
#include <string>
#include <vector>

#include "platforms/gpu/schemes.hpp"

namespace reconverge {

/// A value; the libraries stay loaded as long as some copy lives.
class Plugins {
 public:
  Plugins() = default;
  /// Loads the libraries. Throws InputError for one that cannot be loaded, is no plugin or one of another version, or
  /// brings a scheme whose name is taken.
  explicit Plugins(const std::vector<std::string>& files);

  /// The built-in schemes, then those of the libraries.
  SchemeList schemes() const { return kinds_ ? SchemeList(*kinds_) : built_in_schemes(); }
  /// The libraries, as they were named.
  const std::vector<std::string>& files() const { return files_; }

 private:
  std::vector<std::string> files_;
  std::vector<std::shared_ptr<void>> libraries_;
  std::shared_ptr<const std::vector<const SchemeKind*>> kinds_;
};

}  // namespace reconverge
