// SPDX-License-Identifier: Apache-2.0
#pragma once
/// Parameters of blocks that their parent's block file does not name.

#include <algorithm>
#include <any>
#include <deque>

namespace reconverge {

/// A value with parameter structs, one of each type. A struct that was never requested has the defaults of its block
/// file.
class Parts {
 public:
  /// The reference remains valid when structs are added: readers of a configuration keep references to all parameters.
  template <typename Parameters>
  Parameters& of() {
    for (Part& part : parts_) {
      if (auto* const parameters = std::any_cast<Parameters>(&part.parameters)) return *parameters;
    }
    return std::any_cast<Parameters&>(parts_.emplace_back(Part{Parameters{}, equals<Parameters>}).parameters);
  }
  template <typename Parameters>
  const Parameters& of() const {
    static const Parameters defaults;
    for (const Part& part : parts_) {
      if (const auto* const parameters = std::any_cast<Parameters>(&part.parameters)) return *parameters;
    }
    return defaults;
  }

  bool operator==(const Parts& other) const { return agrees(other) && other.agrees(*this); }

 private:
  struct Part {
    std::any parameters;
    bool (*equals)(const std::any& parameters, const Parts& other) = nullptr;
  };

  template <typename Parameters>
  static bool equals(const std::any& parameters, const Parts& other) {
    return std::any_cast<const Parameters&>(parameters) == other.of<Parameters>();
  }
  bool agrees(const Parts& other) const {
    return std::all_of(parts_.begin(), parts_.end(),
                       [&](const Part& part) { return part.equals(part.parameters, other); });
  }

  std::deque<Part> parts_;
};

}  // namespace reconverge
