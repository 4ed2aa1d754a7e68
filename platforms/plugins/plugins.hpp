// SPDX-License-Identifier: Apache-2.0
#pragma once
/// Divergence schemes and machines from shared libraries (platforms/plugin.hpp), in addition to the built-in ones.

#include <memory>
#include <string>
#include <vector>

#include "platforms/machines/machines.hpp"

namespace reconverge {

/// A value type; the libraries stay loaded as long as a copy lives.
class Plugins {
 public:
  Plugins() = default;
  /// Loads the libraries. Throws InputError for a library that cannot be loaded, is not a plugin, has another version,
  /// or defines a scheme or machine that is incomplete or whose name is taken.
  explicit Plugins(const std::vector<std::string>& files);

  /// The built-in ones, then those of the libraries.
  Kinds kinds() const { return kinds_ ? Kinds{kinds_->schemes, kinds_->machines} : Kinds{}; }
  /// The libraries, by the names given.
  const std::vector<std::string>& files() const { return files_; }

 private:
  struct Loaded {
    std::vector<const SchemeKind*> schemes;
    std::vector<const MachineKind*> machines;
  };

  std::vector<std::string> files_;
  std::vector<std::shared_ptr<void>> libraries_;
  std::shared_ptr<const Loaded> kinds_;
};

}  // namespace reconverge
