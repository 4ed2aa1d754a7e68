// SPDX-License-Identifier: Apache-2.0
#pragma once
/// Configurations of a block's RTL that were built, and the choice of one.
///
/// `Ports` has, in addition to what rtl.hpp lists,
/// - `Sizes`: an aggregate of the sizes of a configuration; 0 for a size that a launch determines later;
/// - `configurations()`: the configurations that were built; reconverge_twin of CMake defines it;
/// - `shape_of(sizes)`: the shape of the RTL;
/// - `fits(built, wanted)`: whether RTL of the sizes `built` can be used for the sizes `wanted`;
/// - `text_of(sizes)`: the sizes as text;
/// - `parameter` and `option`: the parameter that selects RTL, and the CMake variable that lists configurations.

#include <algorithm>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "models/cosim/twin/rtl.hpp"

namespace reconverge::twin {

template <typename Ports>
struct Configuration {
  typename Ports::Sizes sizes;
  std::unique_ptr<Rtl<Ports>> (*make)();  ///< after reset
};

/// Throws ParameterError, which lists the configurations that were built.
[[noreturn]] void refuse_rtl(const char* parameter, const char* option, std::string_view wanted,
                             std::string_view built);

template <typename Ports>
[[noreturn]] void refuse_rtl(std::string_view wanted) {
  std::string built;
  for (const Configuration<Ports>& one : Ports::configurations()) {
    if (!built.empty()) built += "; ";
    built += Ports::text_of(one.sizes);
  }
  refuse_rtl(Ports::parameter, Ports::option, wanted, built);
}

/// Whether a configuration fits.
template <typename Ports>
bool is_built(const typename Ports::Sizes& wanted) {
  return std::ranges::any_of(Ports::configurations(), [&](const auto& one) { return Ports::fits(one.sizes, wanted); });
}

/// The first configuration that fits. Throws ParameterError if none does.
template <typename Ports>
const Configuration<Ports>& find_rtl(const typename Ports::Sizes& wanted) {
  const auto all = Ports::configurations();
  const auto found =
      std::ranges::find_if(all, [&](const Configuration<Ports>& one) { return Ports::fits(one.sizes, wanted); });
  if (found == all.end()) refuse_rtl<Ports>(Ports::text_of(wanted));
  return *found;
}

/// The RTL of this configuration, after reset. Throws ParameterError if none fits.
template <typename Ports>
std::unique_ptr<Rtl<Ports>> make_rtl(const typename Ports::Sizes& wanted) {
  return find_rtl<Ports>(wanted).make();
}

}  // namespace reconverge::twin
