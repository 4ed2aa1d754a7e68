// SPDX-License-Identifier: Apache-2.0
#pragma once
/// Divergence schemes from shared libraries (platforms/plugin.hpp), in addition to the built-in ones.

#include <memory>
#include <string>
#include <vector>

#include "models/protocols/scheme_list.hpp"

namespace reconverge {

/// A value type; the libraries stay loaded as long as a copy lives.
class Plugins {
 public:
  Plugins() = default;
  /// Loads the libraries. Throws InputError for a library that cannot be loaded, is not a plugin, has another version,
  /// or defines a scheme whose name is taken.
  explicit Plugins(const std::vector<std::string>& files);

  /// The built-in schemes, then the schemes of the libraries.
  SchemeList schemes() const { return kinds_ ? SchemeList(*kinds_) : built_in_schemes(); }
  /// The libraries, by the names given.
  const std::vector<std::string>& files() const { return files_; }

 private:
  std::vector<std::string> files_;
  std::vector<std::shared_ptr<void>> libraries_;
  std::shared_ptr<const std::vector<const SchemeKind*>> kinds_;
};

}  // namespace reconverge
